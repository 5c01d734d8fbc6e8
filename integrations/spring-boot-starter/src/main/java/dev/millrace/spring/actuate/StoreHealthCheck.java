package dev.millrace.spring.actuate;

import dev.millrace.LimiterMetrics;
import dev.millrace.RateLimiter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The health of the store, for the indicators of both Boot versions. */
public final class StoreHealthCheck {
  private final Supplier<Optional<String>> trouble;
  private final RateLimiter limiter;

  /**
   * Checks the store on each request.
   *
   * @param trouble the reason why the store cannot be used now; empty when it can
   */
  public StoreHealthCheck(Supplier<Optional<String>> trouble, RateLimiter limiter) {
    this.trouble = trouble;
    this.limiter = limiter;
  }

  /** Checks once. */
  Result look() {
    LimiterMetrics.Snapshot counts = limiter.metrics();
    Map<String, Object> details = new LinkedHashMap<>();
    Optional<String> why = trouble.get();
    why.ifPresent(reason -> details.put("store", reason));
    details.put("blocked", counts.blocked());
    details.put("degraded", counts.degraded());
    return new Result(why.isEmpty(), details);
  }

  /**
   * The result of a check.
   *
   * @param up whether the store answered
   * @param details the number of requests that failed or were admitted uncharged without it
   */
  record Result(boolean up, Map<String, Object> details) {}
}
