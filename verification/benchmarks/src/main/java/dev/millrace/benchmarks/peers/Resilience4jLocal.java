package dev.millrace.benchmarks.peers;

import dev.millrace.benchmarks.load.Ask;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.List;

/** Resilience4j's rate limiters from a registry, which do not wait. */
final class Resilience4jLocal implements Peer {
  @Override
  public String name() {
    return "Resilience4j";
  }

  @Override
  public Scope scope() {
    return Scope.LOCAL;
  }

  @Override
  public Ask ask(List<String> keys) {
    RateLimiterRegistry registry =
        RateLimiterRegistry.of(
            RateLimiterConfig.custom()
                .limitRefreshPeriod(Duration.ofSeconds(1))
                .limitForPeriod((int) PER_SECOND)
                .timeoutDuration(Duration.ZERO)
                .build());
    return KeyedLimiters.of(keys, registry::rateLimiter, RateLimiter::acquirePermission);
  }
}
