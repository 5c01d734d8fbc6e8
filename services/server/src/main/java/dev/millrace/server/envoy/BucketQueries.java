package dev.millrace.server.envoy;

import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.server.Limiters;
import dev.millrace.server.envoy.ChargeGroup.Member;
import dev.millrace.server.envoy.DescriptorDecision.LimitBalance;
import dev.millrace.server.observability.GroupSpans;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The calls of the limiter for descriptors. */
final class BucketQueries {
  private final Limiters limiters;
  private final RecentBalances recent;
  private final InstantSource clock;

  BucketQueries(Limiters limiters, RecentBalances recent, InstantSource clock) {
    this.limiters = limiters;
    this.recent = recent;
    this.clock = clock;
  }

  /** Charges a group; exceptions fail the future. */
  CompletableFuture<Acquisition> acquire(ChargeGroup group) {
    return GroupSpans.linked(
        guarded(() -> limiters.in(group.rule().namespace()).tryAcquireAsync(group.request())));
  }

  /** The balances of a descriptor that was just charged: from its write, else from a read. */
  CompletionStage<List<LimitBalance>> balances(Member member) {
    List<LimitBalance> written =
        recent
            .of(member.rule().namespace(), member.entity(), member.resource(), clock.millis())
            .stream()
            .filter(balance -> member.tokens().containsKey(balance.limit().name()))
            .toList();
    return written.isEmpty()
        ? statuses(member).thenApply(DescriptorDecision::balances)
        : CompletableFuture.completedFuture(written);
  }

  /** The statuses of the limits of a descriptor for its tokens, without a charge. */
  CompletionStage<List<LimitStatus>> statuses(Member member) {
    LimitSet limits = member.rule().limits();
    Limit[] own = limits == null ? new Limit[0] : limits.asList().toArray(Limit[]::new);
    return guarded(
            () ->
                limiters
                    .in(member.rule().namespace())
                    .availableAsync(member.entity(), member.resource(), own))
        .thenApply(
            available -> {
              List<LimitStatus> statuses =
                  available.statuses().stream()
                      .filter(status -> member.tokens().containsKey(status.name()))
                      .map(
                          status ->
                              requesting(status, member.tokens().getOrDefault(status.name(), 0L)))
                      .toList();
              if (statuses.isEmpty()) {
                throw new IllegalArgumentException(
                    "no limit is called " + member.tokens().keySet());
              }
              return statuses;
            });
  }

  private static LimitStatus requesting(LimitStatus status, long tokens) {
    Limit limit = status.limit();
    long milli = tokens * Limit.MILLI;
    boolean exceeded =
        !limit.soft() && (milli > status.availableMilli() || status.availableMilli() < 0);
    long waitMs =
        milli > limit.burstMilli()
            ? LimitStatus.NEVER
            : limit.refill().timeToEarnMs(Math.max(milli, 0) - status.availableMilli());
    return new LimitStatus(
        status.entityId(),
        status.resource(),
        limit,
        status.availableMilli(),
        milli,
        exceeded,
        exceeded ? waitMs : 0);
  }

  /** Whether the table has no limits for a descriptor: the answer is then the mapping's. */
  static boolean isWithoutLimits(Throwable cause) {
    return cause instanceof IllegalArgumentException
        || (cause instanceof LimiterConfigurationException configuration
            && configuration.summary().equals("no limits apply"));
  }

  private static <T> CompletableFuture<T> guarded(Supplier<CompletionStage<T>> call) {
    try {
      return call.get().toCompletableFuture();
    } catch (RuntimeException e) { // misuse is thrown at once
      return CompletableFuture.failedFuture(e);
    }
  }
}
