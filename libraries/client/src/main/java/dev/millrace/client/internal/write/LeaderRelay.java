package dev.millrace.client.internal.write;

import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.mirror.ShardingState;
import dev.millrace.client.internal.store.HelperThreads;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Finds who leads the next batch of a bucket. */
public final class LeaderRelay {
  /** Pause before a background thread is looked for again. */
  private static final long BUSY_PAUSE_MS = 5;

  /** Most batches that are led within each other on one stack. */
  private static final int MAX_NESTED = 64;

  private final ThreadLocal<Integer> nested = ThreadLocal.withInitial(() -> 0);

  private final Mirror mirror;
  private final PendingSettlements pending;
  private final HelperThreads helpers;
  private final HelperThreads background;
  private final TimeSource time;
  private @Nullable BlockingRunner blocking;
  private @Nullable AsyncRunner async;

  public LeaderRelay(
      Mirror mirror,
      PendingSettlements pending,
      HelperThreads helpers,
      HelperThreads background,
      TimeSource time) {
    this.mirror = mirror;
    this.pending = pending;
    this.helpers = helpers;
    this.background = background;
    this.time = time;
  }

  public void blocking(BlockingRunner runner) {
    this.blocking = runner;
  }

  public void async(AsyncRunner runner) {
    this.async = runner;
  }

  public @Nullable AsyncRunner async() {
    return async;
  }

  /** Passes the lead of a bucket on, at once or when enough have gathered, or leaves it idle. */
  public void handOn(MirroredBucket bucket) {
    if (bucket.writeQueue().becomesIdle()) {
      return;
    }
    int depth = nested.get();
    if (depth == MAX_NESTED) {
      handOnInBackground(bucket);
      return;
    }
    nested.set(depth + 1);
    try {
      handOnNested(bucket);
    } finally {
      nested.set(depth);
    }
  }

  /** With a stack of its own: a store that answers at once would fill this one, batch by batch. */
  private void handOnInBackground(MirroredBucket bucket) {
    if (!background.tryRun(() -> handOn(bucket))) {
      CompletableFuture<Void> unused = time.after(BUSY_PAUSE_MS).thenRun(() -> handOn(bucket));
    }
  }

  private void handOnNested(MirroredBucket bucket) {
    ShardingState shards = mirror.shardsOf(bucket.key());
    shards.crowded(time.elapsedMs());
    long delayMs = shards.commitDelayMs();
    if (delayMs == 0) {
      handOnNow(bucket);
      return;
    }
    // Off the timer's thread: with a blocking store the next batch may make a round trip.
    CompletableFuture<Void> unused =
        async == null
            ? time.after(delayMs).thenRunAsync(() -> handOnNow(bucket), background)
            : time.after(delayMs).thenRun(() -> handOnNow(bucket));
  }

  private void handOnNow(MirroredBucket bucket) {
    List<BucketOperation> batch = next(bucket);
    if (batch == null || isLed(bucket, batch)) {
      return;
    }
    // No helper is free. The caller's own answer is known: it leads this batch, and no other.
    BlockingRunner runner = Objects.requireNonNull(blocking);
    runner.leadDetached(bucket, batch);
    List<BucketOperation> further = next(bucket);
    if (further != null && !isLed(bucket, further)) {
      leadInBackground(runner, bucket, further);
    }
  }

  /** Leads a batch on a background thread; when none is free, tries again a moment later. */
  private void leadInBackground(
      BlockingRunner runner, MirroredBucket bucket, List<BucketOperation> batch) {
    Runnable lead =
        () -> {
          runner.leadDetached(bucket, batch);
          handOn(bucket);
        };
    if (background.tryRun(lead)) {
      return;
    }
    if (pending.isClosed()) {
      lead.run(); // there will be no free thread any more
      return;
    }
    CompletableFuture<Void> unused =
        time.after(BUSY_PAUSE_MS).thenRun(() -> leadInBackground(runner, bucket, batch));
  }

  /** The next batch with somebody in it, or null when the bucket is idle from now on. */
  private @Nullable List<BucketOperation> next(MirroredBucket bucket) {
    List<BucketOperation> batch = bucket.writeQueue().finish();
    while (batch != null) { // ends: each round takes a batch off a bounded queue
      batch.removeIf(BucketOperation::isWithdrawn);
      dropLate(batch);
      if (!batch.isEmpty()) {
        return batch;
      }
      batch = bucket.writeQueue().finish();
    }
    return null;
  }

  /**
   * Answers those for whom it is too late. A waiting thread looks at the clock itself; nobody does
   * so for a future, and where each write takes long and few can share one, the line is long.
   */
  private void dropLate(List<BucketOperation> batch) {
    long elapsedMs = time.elapsedMs();
    batch.removeIf(
        member ->
            member.isLate(elapsedMs)
                && member.complete(
                    new BucketOperation.Signal.Ended(
                        GroupCommit.failed(
                            StoreFailure.Kind.TIMED_OUT, /* mayBeCharged= */ false, null))));
  }

  /**
   * Whether another thread leads the batch and will pass the lead on: that of a member, the
   * store's, or a helper.
   */
  private boolean isLed(MirroredBucket bucket, List<BucketOperation> batch) {
    if (calledToLead(batch)) {
      return true;
    }
    if (async != null) {
      async.lead(bucket, batch);
      return true;
    }
    return helped(Objects.requireNonNull(blocking), bucket, batch);
  }

  /** Lets a helper lead a batch, or does it here. */
  public void leadAside(BlockingRunner caller, MirroredBucket bucket, List<BucketOperation> batch) {
    // The helper's own time counts, and the writes of the call.
    BlockingRunner runner = caller.within(caller.budget().withWholeTime());
    if (!helped(runner, bucket, batch)) {
      runner.leadDetached(bucket, batch);
      handOn(bucket);
    }
  }

  private boolean helped(
      BlockingRunner runner, MirroredBucket bucket, List<BucketOperation> batch) {
    return helpers.tryRun(
        () -> {
          runner.leadDetached(bucket, batch);
          handOn(bucket);
        });
  }

  /** Calls a waiting thread, unless a future waits too: then nobody's thread is needed. */
  private boolean calledToLead(List<BucketOperation> batch) {
    if (async != null
        && batch.stream().anyMatch(m -> m.waiting() == BucketOperation.Waiting.ASYNC)) {
      return false;
    }
    for (int i = batch.size() - 1; i >= 0; i--) { // who came last has the most time left
      BucketOperation member = batch.get(i);
      if (member.waiting() == BucketOperation.Waiting.BLOCKING
          && member.complete(new BucketOperation.Signal.Lead(batch))) {
        return true;
      }
    }
    return false;
  }
}
