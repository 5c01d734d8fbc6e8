package dev.millrace.server.envoy;

import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.server.Limiters;
import dev.millrace.server.observability.GroupSpans;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the limiter is asked for a descriptor, and how its answers are read. */
final class Buckets {
  private final Limiters limiters;
  private final SeenBuckets seen;
  private final InstantSource clock;

  Buckets(Limiters limiters, SeenBuckets seen, InstantSource clock) {
    this.limiters = limiters;
    this.seen = seen;
    this.clock = clock;
  }

  /** Charges a group; what is thrown fails the future. */
  CompletableFuture<Acquisition> acquire(Group group) {
    return GroupSpans.linked(
        guarded(() -> limiters.in(group.namespace()).tryAcquireAsync(group.request())));
  }

  /** How the limits of a descriptor that was just charged stand: as its write told, else a read. */
  CompletionStage<List<Standing>> left(Asked asked) {
    List<Standing> known =
        seen.standings(asked.rule().namespace(), asked.entity(), asked.resource(), clock.millis());
    List<Standing> named =
        known.stream()
            .filter(standing -> asked.tokens().containsKey(standing.limit().name()))
            .toList();
    return named.isEmpty()
        ? look(asked)
            .thenApply(
                statuses ->
                    statuses.stream()
                        .map(status -> Standing.left(status.limit(), status.availableMilli()))
                        .toList())
        : CompletableFuture.completedFuture(named);
  }

  /** How the limits of a descriptor stand for what it asks, without a charge. */
  CompletionStage<List<LimitStatus>> look(Asked asked) {
    LimitSet limits = asked.rule().limits();
    Limit[] own = limits == null ? new Limit[0] : limits.asList().toArray(Limit[]::new);
    return guarded(
            () ->
                limiters
                    .in(asked.rule().namespace())
                    .availableAsync(asked.entity(), asked.resource(), own))
        .thenApply(
            available -> {
              List<LimitStatus> statuses =
                  available.statuses().stream()
                      .filter(status -> asked.tokens().containsKey(status.name()))
                      .map(status -> asking(status, asked.tokens().getOrDefault(status.name(), 0L)))
                      .toList();
              if (statuses.isEmpty()) {
                throw new IllegalArgumentException("no limit is called " + asked.tokens().keySet());
              }
              return statuses;
            });
  }

  private static LimitStatus asking(LimitStatus status, long tokens) {
    long milli = tokens * Limit.MILLI;
    boolean exceeded =
        !status.limit().soft() && (milli > status.availableMilli() || status.availableMilli() < 0);
    long missing = Math.max(milli, 0) - status.availableMilli();
    long waitMs =
        milli > status.limit().burstMilli()
            ? LimitStatus.NEVER
            : status.limit().refill().timeToEarnMs(missing);
    return new LimitStatus(
        status.entityId(),
        status.resource(),
        status.limit(),
        status.availableMilli(),
        milli,
        exceeded,
        exceeded ? waitMs : 0);
  }

  /** Refused when one of {@code statuses} is exceeded: the one that takes longest. */
  static Verdict judged(List<LimitStatus> statuses, double nearRatio) {
    LimitStatus worst = null;
    for (LimitStatus status : statuses) {
      if (status.exceeded() && (worst == null || status.retryAfterMs() > worst.retryAfterMs())) {
        worst = status;
      }
    }
    return worst == null
        ? Verdict.passed(
            Standing.tightest(
                statuses.stream()
                    .map(status -> Standing.left(status.limit(), status.availableMilli()))
                    .toList()),
            nearRatio)
        : Verdict.refused(Standing.refused(worst));
  }

  /** Whether the table has no limits for what was asked: that is for the mapping to judge. */
  static boolean saysNoLimits(Throwable cause) {
    return cause instanceof IllegalArgumentException
        || (cause instanceof LimiterConfigurationException configuration
            && configuration.summary().equals("no limits apply"));
  }

  static Throwable cause(@Nullable Throwable error) {
    if (error == null) {
      return new CancellationException();
    }
    Throwable inner = error.getCause();
    return error instanceof CompletionException && inner != null ? inner : error;
  }

  private static <T> CompletableFuture<T> guarded(Supplier<CompletionStage<T>> call) {
    try {
      return call.get().toCompletableFuture();
    } catch (RuntimeException e) { // misuse is thrown at once
      return CompletableFuture.failedFuture(e);
    }
  }
}
