package dev.millrace.server.observability;

import dev.millrace.ConfigCacheStats;
import dev.millrace.server.Limiters;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToLongFunction;

/** What the limiters hold: read when somebody asks, all namespaces together. */
final class LimiterGauges {
  private LimiterGauges() {}

  static void bind(Limiters limiters, MeterRegistry meters) {
    Gauge.builder("millrace.limiters", limiters, all -> all.all().size()).register(meters);
    Gauge.builder("millrace.limiters.max", () -> Limiters.MAX_NAMESPACES).register(meters);
    Gauge.builder(
            "millrace.config.cache.records", limiters, all -> sum(all, ConfigCacheStats::size))
        .register(meters);
    counter(limiters, meters, "hit", ConfigCacheStats::hits);
    counter(limiters, meters, "negative", ConfigCacheStats::negativeHits);
    counter(limiters, meters, "miss", ConfigCacheStats::misses);
    FunctionCounter.builder(
            "millrace.config.cache.evictions",
            limiters,
            all -> sum(all, ConfigCacheStats::evictions))
        .register(meters);
  }

  private static void counter(
      Limiters limiters,
      MeterRegistry meters,
      String outcome,
      ToLongFunction<ConfigCacheStats> which) {
    FunctionCounter.builder("millrace.config.cache.requests", limiters, all -> sum(all, which))
        .tag("outcome", outcome)
        .register(meters);
  }

  private static double sum(Limiters limiters, ToLongFunction<ConfigCacheStats> which) {
    return limiters.all().values().stream()
        .mapToLong(limiter -> which.applyAsLong(limiter.configCache()))
        .sum();
  }
}
