package dev.millrace.simulator.oracle;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import org.jspecify.annotations.Nullable;

/** The oracle's record of one limit of one shard, over all its lives. */
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

  /** The same limit of all shards together. */
  private final WholeLimit whole;

  /** Whether the shard has the limit. */
  private boolean there;

  private long debtMilli;

  /**
   * Between which balances the writers' copies of the bucket lie that are good for the lock of the
   * timestamp as it is: what was there since it last moved, and what those believe to have left
   * whose transaction moved it.
   */
  private long leastSeenMilli;

  private long mostSeenMilli;

  /** Ceiling and softness as writers may still believe that have not looked since a change. */
  private long believedBurstMilli;

  private boolean believedSoft;
  private long believedUntilMicros = Long.MIN_VALUE;

  /** Whether whoever wrote last may not know the limit, or not as it is. */
  private boolean unknownToLast;

  private boolean changedInLife;

  LimitBook(Limit limit, WholeLimit whole) {
    this.name = limit.name();
    this.whole = whole;
    this.limit = limit;
    this.rate = Rate.of(limit.refill());
    this.believedBurstMilli = limit.burstMilli();
  }

  /** The same limit of all shards together. */
  WholeLimit whole() {
    return whole;
  }

  /** Everything that was ever charged for the limit, by any shard. */
  long chargedMilli() {
    return whole.chargedMilli();
  }

  boolean isUnknownToLast() {
    return unknownToLast;
  }

  @Nullable BurstMeter meter() {
    return whole.meter();
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
    hold(state);
    leastSeenMilli = state.tokensMilli();
    mostSeenMilli = state.tokensMilli();
    whole.beginRegime(limit, rate, atMicros, aheadMicros);
  }

  /** After a write that made the limit, in a new bucket or in one that did not have it. */
  void added(Change change, LimitState after) {
    turnInto(after.limit(), change);
    hold(after);
    if (whole.meter() == null) {
      beginRegime(change);
    }
    whole.charged(after.consumedMilli());
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
    hold(after);
    if (lifted || whole.meter() == null) {
      beginRegime(change);
    }
    long chargeMilli = after.consumedMilli() - before.consumedMilli();
    whole.charged(chargeMilli);
    see(change, before.tokensMilli(), after.tokensMilli());
    unknownToLast = !change.moves() && (chargeMilli == 0 || changedInLife);
  }

  /**
   * After a split or a merge, of the shard that stays. Who did it was not told what it left, and
   * copies of another level are good for nothing any more.
   */
  void reshaped(LimitState before, LimitState after) {
    hold(after);
    long addedMilli = after.tokensMilli() - before.tokensMilli();
    leastSeenMilli += addedMilli;
    mostSeenMilli += addedMilli;
    unknownToLast = false;
  }

  /** After a split or a merge that gave the shard a limit that it did not have. */
  void takenOver(Change change, LimitState after) {
    turnInto(after.limit(), change);
    hold(after);
    leastSeenMilli = after.tokensMilli();
    mostSeenMilli = after.tokensMilli();
    unknownToLast = false;
    changedInLife = true;
  }

  /** The shard does not have the limit any more. */
  void gone() {
    if (there) {
      there = false;
      whole.goesBy(limit, null);
      whole.owes(-debtMilli);
      debtMilli = 0;
    }
  }

  private void hold(LimitState state) {
    if (!there) {
      there = true;
      whole.goesBy(null, limit);
    }
    long owedMilli = Math.max(0, -state.tokensMilli());
    if (owedMilli != debtMilli) {
      whole.owes(owedMilli - debtMilli);
      debtMilli = owedMilli;
    }
  }

  private void turnInto(Limit other, Change change) {
    if (!other.equals(limit)) {
      if (!WholeLimit.isSameRegime(other, limit)) {
        long atMicros = change.write.atMicros();
        believedBurstMilli = believedBurstMilli(atMicros);
        believedSoft = isBelievedSoft(atMicros);
        believedUntilMicros = atMicros + BELIEVED_MICROS;
        changedInLife = true;
        if (there) {
          whole.goesBy(limit, other);
        }
        whole.endRegime();
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

  private void beginRegime(Change change) {
    whole.beginRegime(limit, rate, change.write.atMicros(), change.claimAheadMicros());
  }
}
