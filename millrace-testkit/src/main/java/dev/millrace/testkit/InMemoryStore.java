package dev.millrace.testkit;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.AsyncStore;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that answers as DynamoDB does: each write is atomic for its bucket, conditions
 * are evaluated on the bucket as it is, and a refused write tells the bucket that refused it. That
 * it agrees with DynamoDB is what {@link StoreContract} checks, so tests may rely on it.
 *
 * <p>Beyond what the plans say themselves:
 *
 * <ul>
 *   <li>A change of a limit that the bucket does not have is refused, with or without bounds: it
 *       never makes half a limit. The same goes for parameters set on a missing limit.
 *   <li>A plan that DynamoDB would call invalid (a limit named twice, a floor above its ceiling, an
 *       adjust with bounds) is an {@link IllegalArgumentException}.
 *   <li>Every write, applied or refused, costs one write unit and every read one read unit; indexes
 *       and large items are not billed.
 *   <li>Balances end at 64 bits instead of wrapping.
 *   <li>Nothing expires by itself: {@link #remove} does what an expiry would.
 * </ul>
 *
 * <p>Safe for use by many threads. Time-outs are ignored, as nothing takes time.
 */
public final class InMemoryStore implements BlockingStore, AsyncStore {
  private static final long SECOND_MS = 1_000;

  private final ConcurrentHashMap<BucketKey, BucketState> buckets = new ConcurrentHashMap<>();
  private final @Nullable LongSupplier clockMs;

  /** An empty store whose receipts tell no time. */
  public InMemoryStore() {
    this(null);
  }

  private InMemoryStore(@Nullable LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** An empty store whose receipts tell the time of {@code clockMs} in whole seconds. */
  public static InMemoryStore withClock(LongSupplier clockMs) {
    return new InMemoryStore(clockMs);
  }

  @Override
  public StoreReply execute(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Write write) {
      return write(write.plan());
    }
    return new StoreReply.Found(buckets.get(((StoreCall.Read) call).key()), receipt(1, 0));
  }

  @Override
  public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
    try {
      return CompletableFuture.completedFuture(execute(call, timeoutMs));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Forgets a bucket, as an expiry does. Returns whether it was there. */
  public boolean remove(BucketKey key) {
    return buckets.remove(key) != null;
  }

  /** The bucket as it is now, null when there is none. Costs nothing. */
  public @Nullable BucketState snapshot(BucketKey key) {
    return buckets.get(key);
  }

  /** How many buckets there are. */
  public int size() {
    return buckets.size();
  }

  private StoreReply write(WritePlan plan) {
    PlanRules.check(plan);
    Attempt attempt = new Attempt(plan);
    buckets.compute(plan.key(), (key, current) -> attempt.on(current));
    Receipt receipt = receipt(0, 1);
    return attempt.after != null
        ? new StoreReply.Applied(attempt.after, receipt)
        : new StoreReply.Refused(attempt.before, receipt);
  }

  private Receipt receipt(double readUnits, double writeUnits) {
    long timeMs =
        clockMs == null
            ? Receipt.NO_TIME
            : Math.floorDiv(clockMs.getAsLong(), SECOND_MS) * SECOND_MS;
    return new Receipt(readUnits, writeUnits, /* indexWriteUnits= */ 0, timeMs);
  }

  /** One write as it met the bucket. */
  private static final class Attempt {
    private final WritePlan plan;
    private @Nullable BucketState before;
    private @Nullable BucketState after;

    Attempt(WritePlan plan) {
      this.plan = plan;
    }

    @Nullable BucketState on(@Nullable BucketState current) {
      before = current;
      after = PlanModel.apply(current, plan);
      return after != null ? after : current;
    }
  }
}
