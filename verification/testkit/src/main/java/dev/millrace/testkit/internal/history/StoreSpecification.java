package dev.millrace.testkit.internal.history;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import org.jspecify.annotations.Nullable;

/**
 * A store that is asked for one bucket, one call after the other: {@link PlanEffect} says what a
 * write does. Every reply carries the whole bucket, and all of it must be right.
 *
 * @param key which bucket; calls for another are a mistake of the test
 * @param initial what is stored before the first call
 */
public record StoreSpecification(BucketKey key, Stored initial)
    implements Specification<StoreSpecification.Stored, StoreCall, StoreReply> {
  /**
   * The stored state.
   *
   * @param bucket the bucket, null when there is none
   */
  public record Stored(@Nullable BucketState bucket) {
    /** There is no bucket. */
    public static final Stored NOTHING = new Stored(null);

    boolean is(@Nullable BucketState seen) {
      return equals(new Stored(seen));
    }
  }

  /** What a recorder writes down for {@code reply}: null when the outcome is not known. */
  public static @Nullable StoreReply answer(StoreReply reply) {
    return reply instanceof StoreReply.Unknown ? null : reply;
  }

  @Override
  public @Nullable Stored after(Stored stored, Operation<StoreCall, StoreReply> operation) {
    StoreReply reply = operation.answered();
    if (reply instanceof StoreReply.NotApplied) {
      return stored;
    }
    if (operation.asked() instanceof StoreCall.Write write && write.key().equals(key)) {
      return afterWrite(stored, write.plan(), reply);
    }
    if (operation.asked() instanceof StoreCall.Read read && read.key().equals(key)) {
      boolean right = !(reply instanceof StoreReply.Found found) || stored.is(found.state());
      return right ? stored : null;
    }
    throw new IllegalArgumentException("not a call for " + key + ": " + operation.asked());
  }

  private static @Nullable Stored afterWrite(
      Stored stored, WritePlan plan, @Nullable StoreReply reply) {
    BucketState effect = PlanEffect.apply(stored.bucket(), plan);
    if (reply == null) {
      return effect == null ? stored : new Stored(effect);
    }
    if (reply instanceof StoreReply.Applied applied) {
      return effect != null && effect.equals(applied.state()) ? new Stored(effect) : null;
    }
    if (reply instanceof StoreReply.Refused refused) {
      return effect == null && stored.is(refused.state()) ? stored : null;
    }
    throw new IllegalArgumentException("not an answer to a write: " + reply);
  }
}
