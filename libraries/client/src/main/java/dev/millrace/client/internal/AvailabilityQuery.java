package dev.millrace.client.internal;

import dev.millrace.AcquireRequest;
import dev.millrace.Availability;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import dev.millrace.client.internal.mirror.Leg;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.resolve.RequestResolver;
import dev.millrace.client.internal.resolve.Resolution;
import dev.millrace.client.internal.shard.BucketForecast;
import dev.millrace.client.internal.store.StoreErrors;
import dev.millrace.client.internal.write.NewerConfig;
import dev.millrace.client.internal.write.OperationRunner;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Tells what a request would meet, and changes nothing. When a bucket follows a later configuration
 * than this process knows, the request is resolved anew, as it is when it is to be charged.
 */
final class AvailabilityQuery {
  private final RequestResolver resolver;
  private final BucketForecast views;

  AvailabilityQuery(RequestResolver resolver, BucketForecast views) {
    this.resolver = resolver;
    this.views = views;
  }

  CompletableFuture<Availability> available(
      OperationRunner runner, String entityId, String resource, Limit... limits) {
    AcquireRequest request = AcquireRequest.of(entityId, resource);
    return look(runner, limits.length == 0 ? request : request.limits(limits))
        .thenApply(Availability::new);
  }

  CompletableFuture<Optional<Duration>> timeUntilAvailable(
      OperationRunner runner, AcquireRequest request) {
    return look(runner, request).thenApply(AvailabilityQuery::longest);
  }

  private static Optional<Duration> longest(List<LimitStatus> statuses) {
    long longestMs = statuses.stream().mapToLong(LimitStatus::retryAfterMs).max().orElse(0);
    return longestMs == LimitStatus.NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(longestMs));
  }

  private CompletableFuture<List<LimitStatus>> look(
      OperationRunner runner, AcquireRequest request) {
    return look(runner, request, resolver.prepare(runner, request), NewerConfig.NONE, 1);
  }

  private CompletableFuture<List<LimitStatus>> look(
      OperationRunner runner,
      AcquireRequest request,
      CompletableFuture<Resolution> resolved,
      NewerConfig ahead,
      int round) {
    return resolved.thenCompose(
        preparation -> {
          if (preparation instanceof Resolution.Unavailable unavailable) {
            BucketKey key = request.keyIn(resolver.namespaceOrName());
            throw StoreErrors.unavailable(key, unavailable.failure(), /* mayBeCharged= */ false);
          }
          ResolvedRequest prepared = ((Resolution.Ready) preparation).prepared();
          Leg behind = ahead.behind(prepared);
          if (behind != null) {
            resolver.reportConfigSetBack(behind, Objects.requireNonNull(ahead.stampOf(behind)));
          }
          return runner
              .run(views.look(prepared.legs()))
              .thenCompose(
                  seen -> {
                    if (seen.ahead().isEmpty()
                        || behind != null
                        || round == AcquireFlow.MAX_ROUNDS) {
                      return CompletableFuture.completedFuture(seen.statuses());
                    }
                    long after = resolver.records().looks();
                    return look(
                        runner,
                        request,
                        resolver.lookUp(runner, request, after),
                        seen.ahead(),
                        round + 1);
                  });
        });
  }
}
