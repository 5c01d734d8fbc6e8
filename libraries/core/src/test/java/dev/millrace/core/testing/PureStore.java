package dev.millrace.core.testing;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import org.jspecify.annotations.Nullable;

/** What a store answers to a write, as a function: the state that is met, the plan, the answer. */
public final class PureStore {
  private PureStore() {}

  /** Executes {@code plan} on {@code met}, null for a bucket that does not exist. */
  public static StoreReply execute(@Nullable BucketState met, WritePlan plan) {
    BucketState after = PlanEffect.apply(met, plan);
    return after == null
        ? new StoreReply.Refused(met, Receipt.NONE)
        : new StoreReply.Applied(after, Receipt.NONE);
  }

  /** The state after {@code plan}, which must be applied. */
  public static BucketState applied(@Nullable BucketState met, WritePlan plan) {
    if (execute(met, plan) instanceof StoreReply.Applied applied) {
      return applied.state();
    }
    throw new AssertionError(met + " refused " + plan);
  }
}
