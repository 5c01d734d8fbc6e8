package dev.millrace.client.internal.write;

import dev.millrace.BucketKey;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.store.LimiterEvents;
import dev.millrace.client.internal.store.StoreClock;
import dev.millrace.client.internal.store.WriteIds;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitProtocol;
import dev.millrace.core.internal.protocol.CommitResult;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One write for several callers of a bucket: collects what their batch wants, brings it in with one
 * conversation, and tells each what became of its part. Both runners use it; they differ in who
 * waits for the conversation.
 */
public final class GroupCommit {
  private final Mirror mirror;
  private final PiggybackWrites piggyback;
  private final PendingSettlements pending;
  private final LimiterEvents events;
  private final WriteIds ops;
  private final StoreClock clock;
  private final PlanSettings plan;

  public GroupCommit(
      Mirror mirror,
      PiggybackWrites piggyback,
      PendingSettlements pending,
      LimiterEvents events,
      WriteIds ops,
      StoreClock clock) {
    this.plan = mirror.plan();
    this.mirror = mirror;
    this.piggyback = piggyback;
    this.pending = pending;
    this.events = events;
    this.ops = ops;
    this.clock = clock;
  }

  /** The batch, and what travels with its write. */
  public List<BucketOperation> withPiggyback(MirroredBucket bucket, List<BucketOperation> batch) {
    return piggyback.join(bucket, batch);
  }

  /** The conversation that brings a batch into its bucket with one write. */
  public Step<CommitResult> conversation(MirroredBucket bucket, List<BucketOperation> batch) {
    List<BucketDemand> demands = new ArrayList<>(batch.size());
    boolean mayCreate = false;
    for (BucketOperation member : batch) {
      demands.add(member.demand());
      // A settlement that comes along makes the bucket if it must, but not for those who ask.
      mayCreate |= member.mayCreate() && member.demand().kind() == BucketDemand.Kind.ACQUIRE;
    }
    BucketKey key = bucket.key();
    events.group(key, batch.size());
    return commit(bucket, key, batch.get(0).terms(), mayCreate, demands);
  }

  private Step<CommitResult> commit(
      MirroredBucket bucket,
      BucketKey key,
      EffectiveLimits terms,
      boolean mayCreate,
      List<BucketDemand> demands) {
    long nowMs = clock.nowMs();
    CommitProtocol commit = new CommitProtocol(key, terms, mayCreate, demands, plan, ops);
    Step<CommitResult> step =
        bucket.isNone(nowMs)
            ? commit.startAbsent(nowMs)
            : commit.start(bucket.snapshot(), bucket.clock().nowMs(nowMs));
    return Step.map(
        mirror.inTimeOf(bucket, step),
        result -> {
          mirror.saw(bucket, result.snapshot(), result.trace(), result.load());
          if (result.outcomes().get(0) instanceof Outcome.Unavailable unavailable) {
            mirror.pressedBy(key, unavailable.failure());
          }
          return pending.keep(terms, key, demands, result);
        });
  }

  /** Delivers to every member of a batch the outcome of its demand. */
  public static void deliver(
      OperationRunner runner, List<BucketOperation> batch, CommitResult result) {
    for (int i = 0; i < batch.size(); i++) {
      BucketOperation member = batch.get(i);
      Outcome outcome = result.outcomes().get(i);
      if (!member.complete(new BucketOperation.Signal.Ended(outcome))
          && outcome instanceof Outcome.Admitted
          && member.isAbandoned()) {
        // Charged for a caller that has given up: given back with the next write.
        CompletableFuture<?> unused = runner.commitDetached(member.refund());
      }
    }
  }

  public static void deliverFailure(List<BucketOperation> batch, Throwable cause) {
    for (BucketOperation member : batch) {
      member.complete(new BucketOperation.Signal.Broken(cause));
    }
  }

  /**
   * Lets the caller of a member give up waiting; what it was told just before, or that it has given
   * up.
   */
  public static BucketOperation.Signal abandon(MirroredBucket bucket, BucketOperation member) {
    boolean queued = bucket.writeQueue().withdraw(member);
    return member.abandon(/* mayBeCharged= */ !queued);
  }

  /** What a caller is told that has given up: the limiter takes over what it settles. */
  public Outcome gaveUp(
      MirroredBucket bucket,
      BucketOperation member,
      BucketOperation.Signal.Abandoned abandoned,
      StoreFailure.Kind reason) {
    return member.demand().kind() == BucketDemand.Kind.SETTLE
        ? pending.leave(bucket, member, abandoned, reason)
        : failed(reason, abandoned.mayBeCharged(), /* cause= */ null);
  }

  /** The outcome of a demand for which the queue of its bucket has no room. */
  public Outcome queueFull(MirroredBucket bucket) {
    events.queueFull(bucket.key());
    return failed(StoreFailure.Kind.BUSY, /* mayBeCharged= */ false, null);
  }

  public static Outcome failed(
      StoreFailure.Kind kind, boolean mayBeCharged, @Nullable Throwable cause) {
    return new Outcome.Unavailable(new StoreFailure(kind, cause), mayBeCharged);
  }
}
