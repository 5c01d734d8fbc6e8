package dev.millrace.simulator.oracle;

import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.simulator.oracle.TableWrite.Source;

/** The bound on bursts (P1), see {@link BurstMeter}. */
final class BurstRules {
  private double worst;

  /** How full a meter was at most, 1 being the bound. */
  double worst() {
    return worst;
  }

  /** Checks a limit after a write that charged {@code chargeMilli}, negative for given back. */
  void check(Change change, LimitBook book, LimitState after, long chargeMilli) {
    BurstMeter meter = book.meter();
    if (meter == null) {
      return;
    }
    long atMicros = change.write.atMicros();
    meter.flowTo(atMicros);
    meter.divided(change.rest.level());
    meter.claimed(change.claimAheadMicros());
    if (chargeMilli == 0) {
      return;
    }
    meter.add(countedMilli(change, book, meter, after, chargeMilli));
    if (change.write.source() != Source.CLIENT || book.isBelievedSoft(after.limit(), atMicros)) {
      return;
    }
    long acquiredMilli = chargeMilli - change.uncheckedMilli(book.name);
    if (acquiredMilli > 0) {
      checkStart(change, book, after, acquiredMilli);
      long aboveMilli =
          change.rest.of(book.believedBurstMilli(atMicros))
              - change.rest.of(after.limit().burstMilli());
      meter.begin(acquiredMilli - aboveMilli, change.writerAheadMicros());
      long debtMilli = book.whole().debtMilli();
      worst = Math.max(worst, meter.fullness(change.settings.windowMicros(), debtMilli));
    }
    checkBound(change, book, meter, after);
  }

  /**
   * What is added to the meter: all of it where the shard is claimed, and below its ceiling, so
   * that an interval may begin with it; else what surely was acquired.
   */
  private static long countedMilli(
      Change change, LimitBook book, BurstMeter meter, LimitState after, long chargeMilli) {
    if (change.rest.isWhole()) {
      return chargeMilli;
    }
    boolean below = after.tokensMilli() + chargeMilli <= change.rest.of(after.limit().burstMilli());
    boolean fresh = -change.claimAheadMicros() <= change.settings.windowMicros();
    if (below && change.moves()) {
      meter.met(change.writerAheadMicros());
    }
    return below && (change.moves() || fresh)
        ? chargeMilli
        : chargeMilli - change.uncheckedMilli(book.name);
  }

  /** A shard was split, or two were merged, which claims. */
  static void reshaped(Change change, LimitBook book) {
    BurstMeter meter = book.meter();
    if (meter != null) {
      meter.flowTo(change.write.atMicros());
      meter.divided(Math.max(change.rest.level(), change.after.division().level()));
      meter.claimed(change.claimAheadMicros());
      if (change.after.division().level() < change.rest.level()) {
        meter.met(change.writerAheadMicros());
      }
    }
  }

  /**
   * What is acquired was there: it was not above the ceiling, where the next claim would have cut
   * it off, and the time before was claimed, or it would be claimed again.
   */
  private static void checkStart(
      Change change, LimitBook book, LimitState after, long acquiredMilli) {
    long foundMilli = after.tokensMilli() + acquiredMilli;
    if (foundMilli > change.rest.of(book.believedBurstMilli(change.write.atMicros()))) {
      throw change.broken(
          Promise.BOUNDED_BURST,
          "'" + book.name + "' is spent from " + foundMilli + ", above its ceiling");
    }
    long lateMs = change.write.writerMs() - change.toMs;
    if (change.write.alone() && lateMs > change.settings.windowMs() + Change.ROUNDING_MS) {
      throw change.broken(
          Promise.BOUNDED_BURST,
          "'" + book.name + "' is spent beside " + lateMs + " ms that nobody has claimed");
    }
  }

  private static void checkBound(
      Change change, LimitBook book, BurstMeter meter, LimitState after) {
    long debtMilli = book.whole().debtMilli();
    if (meter.milli() <= after.limit().burstMilli() + debtMilli) {
      return;
    }
    long boundMilli = meter.boundMilli(change.settings.windowMicros());
    if (meter.milli() > boundMilli + debtMilli) {
      throw change.broken(
          Promise.BOUNDED_BURST,
          "'"
              + book.name
              + "' gave "
              + meter.milli()
              + " more than its rate in some interval, above the bound of "
              + boundMilli
              + " with a skew of "
              + meter.skewMicros()
              + " us and a debt of "
              + debtMilli);
    }
  }

  /**
   * Checks that a bucket that the store forgets was full, so that nobody gains: by true time, and
   * from the last write at the latest, because a timestamp that is ahead would have been healed. A
   * debt may be forgotten, and so may a limit that the last writer did not know as it is: it could
   * not count it in.
   */
  static void checkForgotten(
      TableWrite write, ShardBook bucket, LimitBook book, LimitState before, long fromMs) {
    if (before.limit().soft() || before.tokensMilli() < 0 || book.isUnknownToLast()) {
      book.whole().endRegime();
      return;
    }
    long nowMs = Math.floorDiv(write.atMicros(), 1_000);
    long balanceMilli = before.tokensMilli() + book.rate().creditMilli(fromMs, nowMs);
    if (balanceMilli < before.limit().burstMilli()) {
      throw new Violation(
          Promise.BOUNDED_BURST,
          "'"
              + book.name
              + "' is forgotten with "
              + balanceMilli
              + ", last written at "
              + bucket.lastAtMicros()
              + " us, at "
              + write.atMicros()
              + " us: "
              + write.before());
    }
  }
}
