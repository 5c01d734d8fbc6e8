package dev.millrace.spring.internal;

import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.TimeSource;
import dev.millrace.adapters.micrometer.LimiterMeters;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.spring.LimiterOptionsCustomizer;
import dev.millrace.spring.MillraceProperties;
import dev.millrace.testkit.InMemoryStore;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The auto-configuration of the limiter and its dependencies. A limiter, options, a store or counts
 * of the application replace those made here. Nothing is sent before the first request, unless
 * {@code millrace.check-on-start} is set.
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = "millrace", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(MillraceProperties.class)
public class MillraceAutoConfiguration {
  @Bean
  static ChargeRegistry millraceChargeRegistry() {
    return new ChargeRegistry();
  }

  @Bean
  @ConditionalOnMissingBean
  LimiterOptions millraceOptions(
      MillraceProperties properties,
      ObjectProvider<LimiterListener> listeners,
      ObjectProvider<TimeSource> time,
      ObjectProvider<LimiterOptionsCustomizer> customizers) {
    LimiterOptions.Builder options =
        LimiterOptions.builder()
            .namespace(properties.namespace())
            .timeout(properties.timeout())
            .settlement(properties.settlement());
    if (properties.onUnavailable() != null) {
      options.onUnavailable(properties.onUnavailable());
    }
    time.ifAvailable(options::time);
    listeners.orderedStream().forEach(options::listener);
    customizers.orderedStream().forEach(customizer -> customizer.customize(options));
    return options.build();
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  RateLimiter millraceLimiter(
      MillraceProperties properties, ObjectProvider<BlockingStore> stores, LimiterOptions options) {
    BlockingStore store =
        stores.getIfAvailable(
            () -> {
              throw new InvalidConfigurationPropertyValueException(
                  "millrace.store",
                  properties.store(),
                  "it needs millrace-testkit, which the starter brings: do not exclude it or give it the scope test");
            });
    return RateLimiter.create(
        store instanceof AsyncStore ? store : new OffloadedStore(store), options);
  }

  @Bean
  static RateLimitedPostProcessor millraceRateLimitedPostProcessor(
      ObjectProvider<RateLimiter> limiter, ObjectProvider<ChargeRegistry> registry) {
    return new RateLimitedPostProcessor(registry::getObject, limiter::getObject);
  }

  @Bean
  @ConditionalOnBean(BlockingStore.class)
  StoreProbe millraceStoreProbe(BlockingStore store, MillraceProperties properties) {
    return new StoreProbe(store, properties.timeout());
  }

  /** Prevents the start of an application whose store does not answer. */
  @Bean
  @ConditionalOnProperty(prefix = "millrace", name = "check-on-start", havingValue = "true")
  SmartInitializingSingleton millraceCheckOnStart(StoreProbe probe) {
    return probe::require;
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(
      prefix = "millrace",
      name = "store",
      havingValue = "dynamodb",
      matchIfMissing = true)
  @ConditionalOnMissingBean(BlockingStore.class)
  static class DynamoStoreConfiguration {
    @Bean
    DynamoClients millraceDynamoClients(
        MillraceProperties properties,
        ObjectProvider<DynamoDbClient> blocking,
        ObjectProvider<DynamoDbAsyncClient> async) {
      String table = properties.dynamodb().table();
      if (table == null || table.isBlank()) {
        throw new InvalidConfigurationPropertyValueException(
            "millrace.dynamodb.table",
            table,
            "it must name the table; for a test, set millrace.store=in-memory instead");
      }
      return new DynamoClients(
          properties.dynamodb(), table, blocking.getIfUnique(), async.getIfUnique());
    }

    @Bean
    BlockingStore millraceStore(DynamoClients clients) {
      return clients.store();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(InMemoryStore.class)
  @ConditionalOnProperty(prefix = "millrace", name = "store", havingValue = "in-memory")
  @ConditionalOnMissingBean(BlockingStore.class)
  static class MemoryStoreConfiguration {
    @Bean
    InMemoryStore millraceStore() {
      return new InMemoryStore();
    }
  }

  /** The limiter's meters, in every meter registry of the application. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  static class MetricsConfiguration {
    @Bean
    MillraceMeters millraceMeters() {
      return new MillraceMeters();
    }

    @Bean
    LimiterMeters millraceLimiterMeters(MillraceMeters meters) {
      return meters.listener();
    }
  }
}
