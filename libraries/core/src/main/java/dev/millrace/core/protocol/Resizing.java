package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.WriteUnits;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Changes how many shards there should be, by one step, if there still should be as many as was
 * believed. Of many who want the same at once one gets it; the others learn of it. When the answer
 * is lost nobody need know: the next look at shard 0 tells.
 *
 * <p>It looks before it writes. Those who want more shards are being throttled, so their writes
 * tell them nothing, and most of them want what somebody else has done already.
 */
public final class Resizing {
  private Resizing() {}

  /**
   * What it came to.
   *
   * @param changed whether it was this one that changed it
   * @param state shard 0 as it was last seen, null when there is none or the store did not tell
   * @param failure null unless the store failed
   */
  public record Result(
      boolean changed, @Nullable BucketState state, @Nullable StoreFailure failure) {}

  /**
   * Begins.
   *
   * @param key any shard of the bucket
   */
  public static Step<Result> start(BucketKey key, int believed, int count, Supplier<String> ops) {
    return Step.Ask.one(
        new StoreCall.Read(key.withShard(0)),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            return new Step.Done<>(new Result(false, null, Commit.failureOf(reply)));
          }
          BucketState state = found.state();
          return state == null || state.shardCount() != believed
              ? new Step.Done<>(new Result(false, state, null))
              : write(state.key(), believed, count, ops);
        });
  }

  private static Step<Result> write(
      BucketKey first, int believed, int count, Supplier<String> ops) {
    WritePlan plan =
        new WritePlan.Resize(first, believed, count, WriteUnits.costMilli(1), ops.get());
    return Step.Ask.one(
        new StoreCall.Write(plan),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            return new Step.Done<>(new Result(true, applied.state(), null));
          }
          if (reply instanceof StoreReply.Refused refused) {
            return new Step.Done<>(new Result(false, refused.state(), null));
          }
          return new Step.Done<>(new Result(false, null, Commit.failureOf(reply)));
        });
  }
}
