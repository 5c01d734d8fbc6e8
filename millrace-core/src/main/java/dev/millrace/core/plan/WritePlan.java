package dev.millrace.core.plan;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.Standing;
import dev.millrace.core.limit.Limit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One write of one bucket, as a value: what to change and under which condition. Every store
 * answers a plan that was applied with the state after it, and one that was refused with the state
 * that refused it. An expiry of {@link BucketState#NEVER} takes the bucket's expiry away. {@link
 * PlanEffect} says what each does; {@code docs/architecture.md} has the table of writers.
 */
public sealed interface WritePlan {
  /** Which bucket. */
  BucketKey key();

  /** The id of this write, by which it recognises itself when its answer was lost. */
  String op();

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
  }

  /**
   * Claims the credit of every limit and consumes, under the lock of the refill timestamp. When the
   * limits themselves changed, {@code parameters} says how.
   *
   * @param expectedRefilledAtMs the lock: the timestamp as it was read
   * @param refilledAtMs the new timestamp
   * @param changes one for every limit that the bucket keeps
   */
  record Locked(
      BucketKey key,
      long expectedRefilledAtMs,
      long refilledAtMs,
      List<LimitChange> changes,
      Parameters parameters,
      long expiresAtSeconds,
      String op)
      implements WritePlan {
    /** Keeps the changes as they are now. */
    public Locked {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Consumes without claiming credit and without the lock, so that many writers do not fail each
   * other. Only while the last claim is recent: consuming beside unclaimed time lets that time be
   * claimed again afterwards. And only while the bucket is switched on: the lock, which switching
   * moves, does not protect it.
   *
   * @param minRefilledAtMs the oldest refill timestamp that is recent enough
   * @param changes the limits that are consumed
   */
  record Consume(
      BucketKey key,
      long minRefilledAtMs,
      List<LimitChange> changes,
      long expiresAtSeconds,
      String op)
      implements WritePlan {
    /** Keeps the changes as they are now. */
    public Consume {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Charges or gives back what was found out after the call. Conditional only on the limits being
   * there, so that it never makes half an item; the balance may go below zero.
   *
   * @param changes the limits that are settled
   */
  record Adjust(BucketKey key, List<LimitChange> changes, long expiresAtSeconds, String op)
      implements WritePlan {
    /** Keeps the changes as they are now. */
    public Adjust {
      changes = List.copyOf(changes);
    }
  }

  /**
   * How the limits themselves change in a {@link Locked} write.
   *
   * @param set limits whose parameters are overwritten
   * @param added limits that the bucket did not have, with the balance they start at
   * @param removed limits that go
   * @param standing the new standing, null when it stays
   */
  record Parameters(
      List<Limit> set, List<LimitState> added, List<Removal> removed, @Nullable Standing standing) {
    /** The limits stay as they are. */
    public static final Parameters UNCHANGED = new Parameters(List.of(), List.of(), List.of());

    /** Keeps the lists as they are now. */
    public Parameters {
      set = List.copyOf(set);
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }

    /** A change of limits under the same standing. */
    public Parameters(List<Limit> set, List<LimitState> added, List<Removal> removed) {
      this(set, added, removed, null);
    }

    /** Whether nothing changes. */
    public boolean isUnchanged() {
      return !changesLimits() && standing == null;
    }

    /** Whether limits change, and not only the standing. */
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
}
