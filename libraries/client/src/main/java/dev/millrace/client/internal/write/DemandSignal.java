package dev.millrace.client.internal.write;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.BucketOperation;
import dev.millrace.client.internal.mirror.CachedConfig;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.client.internal.store.HelperThreads;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Lets other regions hear of requests that were refused here. A refusal writes nothing, and who
 * looks at a bucket only sees what was consumed: a region whose part is smaller than a single
 * request would consume nothing for ever, and be taken for one that nobody asks. So now and then a
 * refusal writes a bucket that is shared with other regions, without taking or giving anything. One
 * that has been written and has consumed nothing has been asked in vain. (In debt it is not
 * written: then it has consumed lately.)
 */
public final class DemandSignal {
  /** How often a process knocks at a bucket at most: twice in the usual window. */
  public static final long EVERY_MS = 5_000;

  private final Mirror mirror;
  private final HelperThreads helpers;
  private final TimeSource time;

  public DemandSignal(Mirror mirror, HelperThreads helpers, TimeSource time) {
    this.mirror = mirror;
    this.helpers = helpers;
    this.time = time;
  }

  /** A refusal of a request whose first bucket is {@code first}. */
  public void refused(OperationRunner runner, BucketKey first, Rejection rejection) {
    for (LimitStatus status : rejection.statuses()) {
      if (status.exceeded()) {
        String entityId = status.entityId();
        String resource = status.resource();
        boolean own = first.entityId().equals(entityId) && first.resource().equals(resource);
        MirroredBucket bucket =
            mirror.known(own ? first : BucketKey.first(first.namespace(), entityId, resource));
        CachedConfig known = bucket == null ? null : bucket.known();
        if (bucket != null && known != null && isShared(known, status)) {
          knock(runner, bucket, known, status.name());
        }
      }
    }
  }

  /** Whether it would be granted if this region had everything: else nobody can help. */
  private static boolean isShared(CachedConfig known, LimitStatus status) {
    LimitSet whole = known.resolved().whole();
    int index = whole == null ? -1 : whole.indexOf(status.name());
    return whole != null && index >= 0 && status.requestedMilli() <= whole.get(index).burstMilli();
  }

  private void knock(
      OperationRunner runner, MirroredBucket bucket, CachedConfig known, String limit) {
    EffectiveLimits terms = known.terms();
    long elapsedMs = time.elapsedMs(); // what the age of a look is measured with
    boolean mayCreate = known.mayCreate(elapsedMs, CachedConfig.OwnLooks.NONE);
    if (terms == null || (bucket.snapshot() == null && !mayCreate) || !isDue(bucket, elapsedMs)) {
      return;
    }
    Amounts nothing = Amounts.ofTokens(terms.limits(), Map.of(limit, 0L));
    BucketOperation order =
        new BucketOperation(bucket, terms, BucketDemand.acquire(nothing), mayCreate);
    if (runner.blocks()) {
      // Whoever was refused need not wait for it, and where all helpers are busy it is not made.
      boolean unused = helpers.tryRun(() -> ended(runner.commit(order)));
    } else {
      ended(runner.commit(order));
    }
  }

  private static boolean isDue(MirroredBucket bucket, long elapsedMs) {
    AtomicLong last = bucket.knockedAtMs();
    long before = last.get();
    return elapsedMs - before >= EVERY_MS && last.compareAndSet(before, elapsedMs);
  }

  /** A sign and no more: one that was not made is made again. */
  private static void ended(CompletableFuture<@Nullable Outcome> knocked) {
    CompletableFuture<@Nullable Outcome> unused = knocked.exceptionally(failure -> null);
  }
}
