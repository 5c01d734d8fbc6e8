package dev.millrace.spring.actuate;

import dev.millrace.client.LimiterMetrics;
import dev.millrace.client.RateLimiter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What both kinds of health tell. */
public final class StoreHealth {
  private final Supplier<Optional<String>> trouble;
  private final RateLimiter limiter;

  /**
   * Asks when it is asked.
   *
   * @param trouble why the store cannot be used now; empty when it can
   */
  public StoreHealth(Supplier<Optional<String>> trouble, RateLimiter limiter) {
    this.trouble = trouble;
    this.limiter = limiter;
  }

  /** One look. */
  Look look() {
    LimiterMetrics.Snapshot counts = limiter.metrics();
    Map<String, Object> details = new LinkedHashMap<>();
    Optional<String> why = trouble.get();
    why.ifPresent(reason -> details.put("store", reason));
    details.put("blocked", counts.blocked());
    details.put("degraded", counts.degraded());
    return new Look(why.isEmpty(), details);
  }

  /**
   * What was seen.
   *
   * @param up whether the store answered
   * @param details how many requests failed or passed uncharged without it
   */
  record Look(boolean up, Map<String, Object> details) {}
}
