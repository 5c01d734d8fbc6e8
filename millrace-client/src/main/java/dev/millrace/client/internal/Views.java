package dev.millrace.client.internal;

import dev.millrace.client.Availability;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.protocol.Sighting;
import dev.millrace.core.protocol.Step;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be said of a bucket without changing it: from the store, or from what was seen. */
final class Views {
  private final LimiterCore core;

  Views(LimiterCore core) {
    this.core = core;
  }

  /** The refusal that costs nothing, or null when the store must be asked. */
  @Nullable Rejection refusal(Bucket bucket, Amounts amounts) {
    long nowMs = core.clock().nowMs();
    Sighting sighting = bucket.sighting();
    if (sighting == null || !sighting.isTrusted(nowMs)) {
      return null;
    }
    Projection projection = project(sighting.state(), amounts.limits(), nowMs);
    return projection.needsRepair() || projection.fits(amounts) ? null : projection.reject(amounts);
  }

  Step<Availability> available(String entityId, String resource, LimitSet limits) {
    core.requireOpen();
    BucketKey key = BucketKey.first(core.options().namespace(), entityId, resource);
    Amounts nothing = Amounts.ofTokens(limits, Map.of());
    return Step.map(look(key, nothing), Availability::new);
  }

  Step<Optional<Duration>> timeUntilAvailable(AcquireRequest request) {
    Prepared prepared = core.prepare(request);
    return Step.map(
        look(prepared.key(), prepared.amounts()),
        statuses -> {
          long longestMs = statuses.stream().mapToLong(LimitStatus::retryAfterMs).max().orElse(0);
          return longestMs == LimitStatus.NEVER
              ? Optional.empty()
              : Optional.of(Duration.ofMillis(longestMs));
        });
  }

  /** The statuses that a request would meet now. */
  private Step<List<LimitStatus>> look(BucketKey key, Amounts amounts) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            throw LimiterCore.unavailable(key, failureOf(reply), /* mayBeCharged= */ false);
          }
          BucketState state = found.state();
          if (state != null) {
            core.bucket(key).saw(Sighting.of(state, nowMs));
          }
          return new Step.Done<>(
              project(
                      state == null ? BucketState.full(key, amounts.limits(), nowMs) : state,
                      amounts.limits(),
                      nowMs)
                  .statuses(amounts));
        });
  }

  /**
   * What is known without asking: the statuses that a request would meet after all those {@code
   * ahead} of it, or null when the bucket was not seen lately.
   */
  @Nullable List<LimitStatus> peek(Prepared prepared, List<Amounts> ahead) {
    long nowMs = core.clock().nowMs();
    Sighting sighting = core.bucket(prepared.key()).sighting();
    if (sighting == null || !sighting.isTrusted(nowMs)) {
      return null;
    }
    Projection projection = project(sighting.state(), prepared.amounts().limits(), nowMs);
    for (Amounts other : ahead) {
      if (other.limits().equals(prepared.amounts().limits())) {
        projection.settle(other);
      }
    }
    return projection.statuses(prepared.amounts());
  }

  private Projection project(BucketState state, LimitSet limits, long nowMs) {
    return Projection.of(state, limits, nowMs, core.options().plan().maxSkewMs());
  }

  private static StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return unknown.failure();
    }
    throw new IllegalStateException("a store answered a read with " + reply);
  }
}
