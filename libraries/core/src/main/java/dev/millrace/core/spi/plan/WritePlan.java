package dev.millrace.core.spi.plan;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One write of one bucket, as a value: what to change and under which condition. Every store
 * answers a plan that was applied with the state after it, and one that was refused with the state
 * that refused it. An expiry of {@link BucketState#NEVER} takes the bucket's expiry away. {@link
 * PlanEffect} says what each does; {@code docs/design/architecture.md} has the table of writers.
 */
public sealed interface WritePlan {
  /** Which bucket. */
  BucketKey key();

  /** The id of this write, by which it recognises itself when its answer was lost. */
  String op();

  /**
   * The same plan, which also debits what it costs in the reserved limit {@link WriteUnits} and,
   * where it claims, returns what the partition has earned. Nothing is demanded of that limit, so
   * no write fails for it, and a claim of others that came between makes it a little wrong until
   * the next claim: it is a measure, not a promise.
   *
   * @param from the bucket as it was when the write was planned, null when there was none
   * @param units what the write costs, and those before it that were refused
   */
  WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition);

  /**
   * A bucket that does not exist yet.
   *
   * @param state everything that is to be stored
   */
  record Create(BucketState state) implements WritePlan {
    @Override
    public BucketKey key() {
      return state.key();
    }

    @Override
    public String op() {
      return state.op();
    }

    @Override
    public WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition) {
      return new Create(state.withWcuMilli(partition.fullMilli() + WriteUnits.costMilli(units)));
    }
  }

  /**
   * Claims the credit of every limit and consumes, under the lock of the refill timestamp. When the
   * limits themselves changed, {@code parameters} says how.
   *
   * @param expectedRefilledAtMs the lock: the timestamp as it was read
   * @param level the level at which the share was reckoned: a split or a merge leaves the timestamp
   * @param refilledAtMs the new timestamp
   * @param changes one for every limit that the bucket keeps
   * @param addWcuMilli added to the reserved limit: credit less cost
   */
  record Locked(
      BucketKey key,
      long expectedRefilledAtMs,
      int level,
      long refilledAtMs,
      List<LimitChange> changes,
      Parameters parameters,
      long addWcuMilli,
      long expiresAtSeconds,
      String op)
      implements WritePlan {
    /** Of an undivided bucket, with a write that costs nothing. */
    public Locked(
        BucketKey key,
        long expectedRefilledAtMs,
        long refilledAtMs,
        List<LimitChange> changes,
        Parameters parameters,
        long expiresAtSeconds,
        String op) {
      this(
          key,
          expectedRefilledAtMs,
          /* level= */ 1,
          refilledAtMs,
          changes,
          parameters,
          /* addWcuMilli= */ 0,
          expiresAtSeconds,
          op);
    }

    /** Keeps the changes as they are now, and checks that the shard can have its new level. */
    public Locked {
      changes = List.copyOf(changes);
      Division division = parameters.division();
      if (division != null && key.shard() >= division.level()) {
        throw new IllegalArgumentException(
            key + " cannot get the level " + division.level() + ": it must be above the shard");
      }
    }

    @Override
    public WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition) {
      long costMilli = WriteUnits.costMilli(units);
      long creditMilli =
          from == null
              ? 0
              : partition.creditMilli(from.wcuMilli(), from.refilledAtMs(), refilledAtMs);
      return new Locked(
          key,
          expectedRefilledAtMs,
          level,
          refilledAtMs,
          changes,
          parameters,
          creditMilli + costMilli,
          expiresAtSeconds,
          op);
    }
  }

  /**
   * Consumes without claiming credit and without the lock, so that many writers do not fail each
   * other. Only while the last claim is recent: consuming beside unclaimed time lets that time be
   * claimed again afterwards. And only while the bucket is switched on: the lock, which switching
   * moves, does not protect it.
   *
   * @param minRefilledAtMs the oldest refill timestamp that is recent enough
   * @param level the level at which the ceilings were reckoned
   * @param changes the limits that are consumed
   * @param addWcuMilli added to the reserved limit: less than nothing, the cost
   */
  record Consume(
      BucketKey key,
      long minRefilledAtMs,
      int level,
      List<LimitChange> changes,
      long addWcuMilli,
      long expiresAtSeconds,
      String op)
      implements WritePlan {
    /** Of an undivided bucket, with a write that costs nothing. */
    public Consume(
        BucketKey key,
        long minRefilledAtMs,
        List<LimitChange> changes,
        long expiresAtSeconds,
        String op) {
      this(
          key,
          minRefilledAtMs,
          /* level= */ 1,
          changes,
          /* addWcuMilli= */ 0,
          expiresAtSeconds,
          op);
    }

    /** Keeps the changes as they are now. */
    public Consume {
      changes = List.copyOf(changes);
    }

    @Override
    public WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition) {
      long costMilli = WriteUnits.costMilli(units);
      return new Consume(key, minRefilledAtMs, level, changes, costMilli, expiresAtSeconds, op);
    }
  }

  /**
   * Charges or gives back what was found out after the call. Conditional only on the limits being
   * there, so that it never makes half an item; the balance may go below zero. One that sets an
   * expiry is refused by a shard of several, because those do not expire.
   *
   * @param changes the limits that are settled
   * @param addWcuMilli added to the reserved limit: less than nothing, the cost
   */
  record Adjust(
      BucketKey key, List<LimitChange> changes, long addWcuMilli, long expiresAtSeconds, String op)
      implements WritePlan {
    /** With a write that costs nothing. */
    public Adjust(BucketKey key, List<LimitChange> changes, long expiresAtSeconds, String op) {
      this(key, changes, /* addWcuMilli= */ 0, expiresAtSeconds, op);
    }

    /** Keeps the changes as they are now. */
    public Adjust {
      changes = List.copyOf(changes);
    }

    @Override
    public WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition) {
      return new Adjust(key, changes, WriteUnits.costMilli(units), expiresAtSeconds, op);
    }
  }

  /**
   * Changes how many shards there should be; on shard 0, whose word counts. Nothing is split or
   * merged by it: that is done one by one when they are next drawn on. Takes the expiry away.
   *
   * @param expectedCount the count as it was read
   * @param addWcuMilli added to the reserved limit: less than nothing, the cost
   */
  record Resize(BucketKey key, int expectedCount, int count, long addWcuMilli, String op)
      implements WritePlan {
    /** Checks that it is the shard that decides, and the counts. */
    public Resize {
      if (key.shard() != 0) {
        throw new IllegalArgumentException(key + " does not decide how many shards there are");
      }
      Division.of(expectedCount, 1);
      Division.of(count, 1);
    }

    @Override
    public WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition) {
      return new Resize(key, expectedCount, count, WriteUnits.costMilli(units), op);
    }
  }

  /**
   * Takes away a shard whose share goes to another in the same transaction.
   *
   * @param expectedOp the last write as it was read: nobody has written since
   */
  record Remove(BucketKey key, String expectedOp, String op) implements WritePlan {
    /** Checks that it is one of several shards. */
    public Remove {
      if (key.shard() == 0) {
        throw new IllegalArgumentException(key + " is never taken away: others are merged into it");
      }
    }

    /** Costs nothing of a reserved limit that goes along with it. */
    @Override
    public WritePlan priced(@Nullable BucketState from, int units, WriteUnits partition) {
      return this;
    }
  }

  /**
   * The change of the bucket itself in a {@link Locked} write.
   *
   * @param set limits whose parameters are overwritten
   * @param added limits that the bucket did not have, with the balance they start at
   * @param removed limits that go
   * @param stamp the new stamp, null when it stays
   * @param division the new division, null when it stays; only the level is new, and the bucket
   *     must have the count
   */
  record Parameters(
      List<Limit> set,
      List<LimitState> added,
      List<Removal> removed,
      @Nullable ConfigStamp stamp,
      @Nullable Division division) {
    /** The limits stay as they are. */
    public static final Parameters UNCHANGED = new Parameters(List.of(), List.of(), List.of());

    /** Keeps the lists as they are now. */
    public Parameters {
      set = List.copyOf(set);
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }

    /** A change of limits under the same stamp. */
    public Parameters(List<Limit> set, List<LimitState> added, List<Removal> removed) {
      this(set, added, removed, null, null);
    }

    /** A change of limits or stamp. */
    public Parameters(
        List<Limit> set,
        List<LimitState> added,
        List<Removal> removed,
        @Nullable ConfigStamp stamp) {
      this(set, added, removed, stamp, null);
    }

    /** The limits stay; the shard takes a larger or a smaller share of them. */
    public static Parameters dividing(Division division) {
      return new Parameters(List.of(), List.of(), List.of(), null, division);
    }

    /** Whether nothing changes. */
    public boolean isUnchanged() {
      return !changesLimits() && stamp == null && division == null;
    }

    /** Whether limits change, and not only the stamp. */
    public boolean changesLimits() {
      return !set.isEmpty() || !added.isEmpty() || !removed.isEmpty();
    }
  }

  /**
   * A limit that goes from a bucket.
   *
   * @param name which limit
   * @param minTokensMilli least balance at which it may go: a limit that is not full would come
   *     back full, which would mint tokens. {@link LimitChange#NO_FLOOR} for any, because it was
   *     deleted; then only its being there is demanded
   */
  record Removal(String name, long minTokensMilli) {}

  /**
   * The change of one limit by a write, and what it demands of the balance it meets.
   *
   * @param name which limit
   * @param addTokensMilli added to the balance: credit less consumption
   * @param addConsumedMilli added to the total that was ever consumed
   * @param minTokensMilli least balance that may be met, {@link #NO_FLOOR} for any
   * @param maxTokensMilli greatest balance that may be met, {@link #NO_CEILING} for any
   */
  public record LimitChange(
      String name,
      long addTokensMilli,
      long addConsumedMilli,
      long minTokensMilli,
      long maxTokensMilli) {
    /** Any balance may be met, however low. */
    public static final long NO_FLOOR = Long.MIN_VALUE;

    /** Any balance may be met, however high. */
    public static final long NO_CEILING = Long.MAX_VALUE;

    /** A change without a demand. */
    public static LimitChange unconditional(
        String name, long addTokensMilli, long addConsumedMilli) {
      return new LimitChange(name, addTokensMilli, addConsumedMilli, NO_FLOOR, NO_CEILING);
    }

    /** Whether a least balance is demanded. */
    public boolean hasFloor() {
      return minTokensMilli != NO_FLOOR;
    }

    /** Whether a greatest balance is demanded. */
    public boolean hasCeiling() {
      return maxTokensMilli != NO_CEILING;
    }

    /** Whether {@code tokensMilli} is a balance that may be met. */
    public boolean accepts(long tokensMilli) {
      return minTokensMilli <= tokensMilli && tokensMilli <= maxTokensMilli;
    }
  }
}
