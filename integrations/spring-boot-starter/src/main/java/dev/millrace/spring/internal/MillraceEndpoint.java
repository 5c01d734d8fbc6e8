package dev.millrace.spring.internal;

import dev.millrace.ConfigCacheStats;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.RateLimiter;
import dev.millrace.adapters.http.LimitBalances;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code /actuator/millrace}: the limits and the counts of the application; below it,
 * {@code /{entity}/{resource}}, the balances of an entity. {@code DELETE} clears the cache of
 * stored configuration of this process.
 */
@Endpoint(id = "millrace")
final class MillraceEndpoint {
  private final RateLimiter limiter;
  private final ChargeRegistry registry;

  MillraceEndpoint(RateLimiter limiter, ChargeRegistry registry) {
    this.limiter = limiter;
    this.registry = registry;
  }

  /** The limits, and the counts of the limiter so far. */
  @ReadOperation
  Map<String, Object> overview() {
    Map<String, Object> rules = new LinkedHashMap<>();
    registry.charges().forEach((where, charge) -> rules.put(where, charge.described()));
    ConfigCacheStats cache = limiter.configCache();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rules", rules);
    all.put("counts", limiter.metrics());
    all.put(
        "configCache",
        Map.of("records", cache.size(), "hits", cache.hits(), "misses", cache.misses()));
    return all;
  }

  /**
   * The balances of {@code entity} for {@code resource}; nothing when no limits are known for it.
   */
  @ReadOperation
  @Nullable Map<String, Object> available(@Selector String entity, @Selector String resource) {
    try {
      return Map.of(
          "limits",
          LimitBalances.of(
              limiter.available(entity, resource, registry.limits(resource)).statuses()));
    } catch (LimiterConfigurationException noLimits) {
      return null;
    }
  }

  @DeleteOperation
  void invalidate() {
    limiter.invalidate();
  }
}
