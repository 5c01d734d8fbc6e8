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
 * An occasional write that shows other regions that requests are refused here. A refusal writes
 * nothing, and a bucket only shows what was consumed: a region whose share is smaller than a single
 * request would consume nothing for ever, and count as idle. So now and then a refusal writes a
 * bucket that is shared with other regions, without taking or giving anything. One that was written
 * and has consumed nothing had demand that it could not meet. (In debt it is not written: then it
 * has consumed lately.)
 */
public final class DemandSignal {
  /** Least time between two signals of a process for one bucket: twice in the usual window. */
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
    if (!mirror.sharesWithRegions()) {
      return;
    }
    for (LimitStatus status : rejection.statuses()) {
      if (status.exceeded()) {
        String entityId = status.entityId();
        String resource = status.resource();
        boolean own = first.entityId().equals(entityId) && first.resource().equals(resource);
        MirroredBucket bucket =
            mirror.known(own ? first : BucketKey.first(first.namespace(), entityId, resource));
        CachedConfig known = bucket == null ? null : bucket.config();
        if (bucket != null && known != null && isShared(known, status)) {
          signal(runner, bucket, known, status.name());
        }
      }
    }
  }

  /** Whether it would be granted if this region had the whole limit: else no region can help. */
  private static boolean isShared(CachedConfig known, LimitStatus status) {
    LimitSet whole = known.resolved().whole();
    int index = whole == null ? -1 : whole.indexOf(status.name());
    return whole != null && index >= 0 && status.requestedMilli() <= whole.get(index).burstMilli();
  }

  private void signal(
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
      // The refused caller does not wait for it, and where all helpers are busy it is not made.
      boolean unused = helpers.tryRun(() -> ended(runner.commit(order)));
    } else {
      ended(runner.commit(order));
    }
  }

  private static boolean isDue(MirroredBucket bucket, long elapsedMs) {
    AtomicLong last = bucket.demandSignalledAtMs();
    long before = last.get();
    return elapsedMs - before >= EVERY_MS && last.compareAndSet(before, elapsedMs);
  }

  /** A sign and no more: one that was not made is made again. */
  private static void ended(CompletableFuture<@Nullable Outcome> written) {
    CompletableFuture<@Nullable Outcome> unused = written.exceptionally(failure -> null);
  }
}
