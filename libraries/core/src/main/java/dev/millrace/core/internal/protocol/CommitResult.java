package dev.millrace.core.internal.protocol;

import dev.millrace.Rejection;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a commit.
 *
 * @param outcomes one for each demand, in their order
 * @param snapshot the bucket as it was last seen, null when it does not exist or was never seen
 * @param trace what happened on the way
 * @param load how hard the shard was written lately
 * @param uncertain the charges of all settlements together when they may be written, null when that
 *     is known; the caller keeps them
 */
public record CommitResult(
    List<Outcome> outcomes,
    @Nullable BucketSnapshot snapshot,
    Trace trace,
    Load load,
    @Nullable UncertainCharge uncertain) {
  /** Keeps the outcomes as they are now. */
  public CommitResult {
    outcomes = List.copyOf(outcomes);
  }

  /** An end that leaves nothing to the caller. */
  public CommitResult(
      List<Outcome> outcomes, @Nullable BucketSnapshot snapshot, Trace trace, Load load) {
    this(outcomes, snapshot, trace, load, /* uncertain= */ null);
  }

  /** An end that tells nothing about how hard the shard was written. */
  public CommitResult(List<Outcome> outcomes, @Nullable BucketSnapshot snapshot, Trace trace) {
    this(outcomes, snapshot, trace, Load.NONE);
  }

  /** The same with other outcomes. */
  public CommitResult with(List<Outcome> others) {
    return new CommitResult(others, snapshot, trace, load, uncertain);
  }

  /** The end of one demand. */
  public sealed interface Outcome {
    /** The one {@link Admitted}. */
    Outcome ADMITTED = new Admitted();

    /** The one {@link Settled}. */
    Outcome SETTLED = new Settled();

    /** The one {@link Disabled}. */
    Outcome DISABLED = new Disabled();

    /** The one {@link Gone}. */
    Outcome GONE = new Gone();

    /** The one {@link Skipped}. */
    Outcome SKIPPED = new Skipped();

    /** Charged. */
    record Admitted() implements Outcome {}

    /** Told, and written down. */
    record Settled() implements Outcome {}

    /** Not provided for: the bucket has not plenty. */
    record Skipped() implements Outcome {}

    /** Refused by a limit; nothing was charged. */
    record Rejected(Rejection rejection) implements Outcome {}

    /**
     * Not decided, because there is no such shard: it has not been split off, or was merged into
     * another; nothing was charged.
     */
    record Gone() implements Outcome {}

    /** Refused because the bucket is switched off; nothing was charged. */
    record Disabled() implements Outcome {}

    /**
     * Not decided, because the bucket follows a later version of some record than the caller knows,
     * or because it is not there and the caller's terms are not from just now; nothing was charged.
     *
     * @param stamp what the bucket follows, {@link ConfigStamp#CALL} when there is none
     */
    record Outdated(ConfigStamp stamp) implements Outcome {}

    /**
     * Not decided.
     *
     * @param mayBeCharged whether the charge may be there all the same
     */
    record Unavailable(StoreFailure failure, boolean mayBeCharged) implements Outcome {}

    /**
     * A settlement that is not written yet, as far as is known: the process keeps it and writes it
     * later.
     */
    record Postponed(StoreFailure failure) implements Outcome {}
  }

  /**
   * The events on the way, for metrics and logs.
   *
   * @param lostLocks how many writes were refused because the bucket had changed
   * @param unknownOutcomes how many writes' answers were lost
   * @param created whether the bucket was created
   * @param reparameterised whether the limits of the bucket were changed
   * @param healedAheadMs how far ahead a refill timestamp was that was not believed, 0 for none
   */
  public record Trace(
      int lostLocks,
      int unknownOutcomes,
      boolean created,
      boolean reparameterised,
      long healedAheadMs) {
    /** Nothing happened yet. */
    public static final Trace EMPTY = new Trace(0, 0, false, false, 0);

    /**
     * What has happened once {@code plan} is made.
     *
     * @param from what it was planned from, null for a bucket that did not exist
     */
    Trace with(WritePlan plan, @Nullable BucketState from, long nowMs, PlanSettings settings) {
      if (plan instanceof WritePlan.Create) {
        return withCreated();
      }
      if (from == null || !(plan instanceof WritePlan.Locked locked)) {
        return this;
      }
      Trace planned = locked.parameters().changesLimits() ? withReparameterised() : this;
      long aheadMs = from.refilledAtMs() - nowMs;
      return aheadMs > 0 && aheadMs > settings.maxSkewMs() ? planned.withHealed(aheadMs) : planned;
    }

    Trace withLostLock() {
      return new Trace(lostLocks + 1, unknownOutcomes, created, reparameterised, healedAheadMs);
    }

    Trace withUnknownOutcome() {
      return new Trace(lostLocks, unknownOutcomes + 1, created, reparameterised, healedAheadMs);
    }

    Trace withCreated() {
      return new Trace(lostLocks, unknownOutcomes, true, reparameterised, healedAheadMs);
    }

    Trace withReparameterised() {
      return new Trace(lostLocks, unknownOutcomes, created, true, healedAheadMs);
    }

    Trace withHealed(long aheadMs) {
      return new Trace(lostLocks, unknownOutcomes, created, reparameterised, aheadMs);
    }
  }

  /**
   * The load on a shard lately, by all processes together, as one write has found it: what was
   * taken from the reserved limit since its last claim.
   *
   * @param unitsMilli thousandths of write units
   * @param overMs in so many milliseconds; 0 when nothing was found out
   */
  public record Load(long unitsMilli, long overMs) {
    /** Nothing was found out. */
    public static final Load NONE = new Load(0, 0);

    /** Shorter than this, one write more or less would say too much. */
    private static final long MIN_CONSUME_MS = 20;

    /** What a write that was made tells. */
    static Load of(WritePlan plan, BucketState after, WriteUnits partition, long nowMs) {
      if (plan instanceof WritePlan.Locked locked) {
        long beforeMilli = after.wcuMilli() - locked.addWcuMilli();
        long overMs = locked.refilledAtMs() - locked.expectedRefilledAtMs();
        return of(partition.fullMilli() - beforeMilli, overMs);
      }
      long overMs = nowMs - after.refilledAtMs();
      return plan instanceof WritePlan.Consume && overMs >= MIN_CONSUME_MS
          ? of(partition.fullMilli() - after.wcuMilli(), overMs)
          : NONE;
    }

    private static Load of(long unitsMilli, long overMs) {
      return overMs <= 0 ? NONE : new Load(Math.max(0, unitsMilli), overMs);
    }
  }
}
