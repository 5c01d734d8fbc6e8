package dev.millrace.simulator.oracle;

import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.limit.Limit;
import org.jspecify.annotations.Nullable;

/** What is remembered of one limit of one bucket, over all its lives. */
final class LimitBook {
  /**
   * How long after a change somebody may still consume by the limit as it was: a copy of the bucket
   * counts as contended for ten seconds and serves to consume without the lock as long, and then
   * the write is under way for a while.
   */
  private static final long BELIEVED_MICROS = 15_000_000;

  final String name;

  /** The parameters that {@link #rate} belongs to. */
  private Limit limit;

  private Rate rate;

  /** Everything that was ever charged. */
  private long chargedMilli;

  /**
   * Between which balances the writers' copies of the bucket lie that are good for the lock of the
   * timestamp as it is: what was there since it last moved, and what those believe to have left
   * whose transaction moved it.
   */
  private long leastSeenMilli;

  private long mostSeenMilli;

  /** Null while there is nothing to hold P1 against: before the first write, and when soft. */
  private @Nullable BurstMeter meter;

  /** Ceiling and softness as writers may still believe that have not looked since a change. */
  private long believedBurstMilli;

  private boolean believedSoft;
  private long believedUntilMicros = Long.MIN_VALUE;

  /** Whether whoever wrote last may not know the limit, or not as it is. */
  private boolean unknownToLast;

  private boolean changedInLife;

  LimitBook(Limit limit) {
    this.name = limit.name();
    this.limit = limit;
    this.rate = Rate.of(limit.refill());
    this.believedBurstMilli = limit.burstMilli();
  }

  long chargedMilli() {
    return chargedMilli;
  }

  boolean isUnknownToLast() {
    return unknownToLast;
  }

  @Nullable BurstMeter meter() {
    return meter;
  }

  Rate rate() {
    return rate;
  }

  long leastSeenMilli() {
    return leastSeenMilli;
  }

  long mostSeenMilli() {
    return mostSeenMilli;
  }

  /**
   * Whether writers may still take the limit for a soft one. Who gives it its parameters knows
   * better.
   */
  boolean isBelievedSoft(Limit present, long atMicros) {
    return limit.equals(present) && isBelievedSoft(atMicros);
  }

  private boolean isBelievedSoft(long atMicros) {
    return limit.soft() || (believedSoft && atMicros < believedUntilMicros);
  }

  /** The highest ceiling up to which writers may still believe that a balance can be spent. */
  long believedBurstMilli(long atMicros) {
    return atMicros < believedUntilMicros
        ? Math.max(believedBurstMilli, limit.burstMilli())
        : limit.burstMilli();
  }

  /** A limit that was there before anybody watched. */
  void found(LimitState state, long atMicros, long aheadMicros) {
    leastSeenMilli = state.tokensMilli();
    mostSeenMilli = state.tokensMilli();
    beginRegime(atMicros, aheadMicros);
  }

  /** After a write that made the limit, in a new bucket or in one that did not have it. */
  void added(Change change, LimitState after) {
    turnInto(after.limit(), change);
    if (meter == null) {
      beginRegime(change.write.atMicros(), change.claimAheadMicros());
    }
    chargedMilli += after.consumedMilli();
    leastSeenMilli = after.tokensMilli();
    mostSeenMilli = after.tokensMilli();
    unknownToLast = false;
    changedInLife = change.before != null;
  }

  /**
   * After a write that kept the limit.
   *
   * @param lifted whether it may have got tokens that it did not earn
   */
  void kept(Change change, LimitState before, LimitState after, boolean lifted) {
    turnInto(after.limit(), change);
    if (lifted || meter == null) {
      beginRegime(change.write.atMicros(), change.claimAheadMicros());
    }
    long chargeMilli = after.consumedMilli() - before.consumedMilli();
    chargedMilli += chargeMilli;
    see(change, before.tokensMilli(), after.tokensMilli());
    unknownToLast = !change.moves() && (chargeMilli == 0 || changedInLife);
  }

  private void turnInto(Limit other, Change change) {
    if (!other.equals(limit)) {
      boolean sameRegime =
          other.burstMilli() == limit.burstMilli()
              && other.soft() == limit.soft()
              && other.refill().equals(limit.refill());
      if (!sameRegime) {
        long atMicros = change.write.atMicros();
        believedBurstMilli = believedBurstMilli(atMicros);
        believedSoft = isBelievedSoft(atMicros);
        believedUntilMicros = atMicros + BELIEVED_MICROS;
        changedInLife = true;
        endRegime();
      }
      rate = other.refill().equals(limit.refill()) ? rate : Rate.of(other.refill());
      limit = other;
    }
  }

  private void see(Change change, long beforeMilli, long afterMilli) {
    long addedMilli = afterMilli - beforeMilli;
    boolean told = change.write.alone();
    if (change.moves()) {
      leastSeenMilli = told ? afterMilli : leastSeenMilli + addedMilli;
      mostSeenMilli = told ? afterMilli : mostSeenMilli + addedMilli;
      return;
    }
    long leastMilli = told ? afterMilli : leastSeenMilli + addedMilli;
    long mostMilli = told ? afterMilli : mostSeenMilli + addedMilli;
    leastSeenMilli = Math.min(leastSeenMilli, leastMilli);
    mostSeenMilli = Math.max(mostSeenMilli, mostMilli);
  }

  /** Tokens were forgotten that the meter knows of: it begins anew with the next write. */
  void endRegime() {
    meter = null;
  }

  private void beginRegime(long atMicros, long aheadMicros) {
    meter = limit.soft() ? null : new BurstMeter(rate, limit.burstMilli(), atMicros, aheadMicros);
  }
}
