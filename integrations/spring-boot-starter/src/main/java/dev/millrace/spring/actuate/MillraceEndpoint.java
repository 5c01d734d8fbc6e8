package dev.millrace.spring.actuate;

import dev.millrace.adapters.http.Balances;
import dev.millrace.client.ConfigCacheStats;
import dev.millrace.client.RateLimiter;
import dev.millrace.core.error.LimiterConfigurationException;
import dev.millrace.spring.RuleBook;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@code /actuator/millrace}: what is limited and what was admitted; below it, {@code
 * /{entity}/{resource}}, what somebody has left. {@code DELETE} forgets the stored configuration
 * that this process remembers, so that it is looked up anew.
 */
@Endpoint(id = "millrace")
public final class MillraceEndpoint {
  private final RateLimiter limiter;
  private final RuleBook book;

  /** Looks at {@code limiter}, and at the charges of {@code book}. */
  public MillraceEndpoint(RateLimiter limiter, RuleBook book) {
    this.limiter = limiter;
    this.book = book;
  }

  /** What is limited, and what the limiter did so far. */
  @ReadOperation
  public Map<String, Object> overview() {
    Map<String, Object> rules = new LinkedHashMap<>();
    book.charges().forEach((where, charge) -> rules.put(where, charge.described()));
    ConfigCacheStats cache = limiter.configCache();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rules", rules);
    all.put("counts", limiter.metrics());
    all.put(
        "configCache",
        Map.of("records", cache.size(), "hits", cache.hits(), "misses", cache.misses()));
    return all;
  }

  /** What {@code entity} has left of {@code resource}; nothing when no limits are known for it. */
  @ReadOperation
  public @Nullable Map<String, Object> available(
      @Selector String entity, @Selector String resource) {
    try {
      return Map.of(
          "limits",
          Balances.of(limiter.available(entity, resource, book.limits(resource)).statuses()));
    } catch (LimiterConfigurationException noLimits) {
      return null;
    }
  }

  /** Forgets the stored configuration that is remembered. */
  @DeleteOperation
  public void invalidate() {
    limiter.invalidate();
  }
}
