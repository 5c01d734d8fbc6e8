package dev.millrace.spring.boot;

import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.TimeSource;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.spring.ChargeRegistry;
import dev.millrace.spring.method.RateLimitedPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The auto-configuration of the limiter and its dependencies. Every bean here yields to one of the
 * application. Nothing is sent before the first request, unless {@code millrace.check-on-start} is
 * set.
 */
@AutoConfiguration
@ConditionalOnProperty(prefix = "millrace", name = "enabled", matchIfMissing = true)
@EnableConfigurationProperties(MillraceProperties.class)
@Import({DynamoStoreConfiguration.class, MemoryStoreConfiguration.class})
public class MillraceAutoConfiguration {
  /** The registry of everything that is limited in this application. */
  @Bean
  @ConditionalOnMissingBean
  static ChargeRegistry millraceRuleBook() {
    return new ChargeRegistry();
  }

  /** The options of the limiter. */
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

  /** The limiter, for blocking and for asynchronous callers. */
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

  /** Limits annotated methods. */
  @Bean
  @ConditionalOnMissingBean
  static RateLimitedPostProcessor millraceRateLimitedPostProcessor(
      ObjectProvider<RateLimiter> limiter, ObjectProvider<ChargeRegistry> book) {
    return new RateLimitedPostProcessor(book::getObject, limiter::getObject);
  }

  /** Checks the store once. */
  @Bean
  @ConditionalOnBean(BlockingStore.class)
  @ConditionalOnMissingBean
  StoreProbe millraceStoreProbe(BlockingStore store, MillraceProperties properties) {
    return new StoreProbe(store, properties.timeout());
  }

  /** Prevents the start of an application whose store does not answer. */
  @Bean
  @ConditionalOnProperty(prefix = "millrace", name = "check-on-start", havingValue = "true")
  SmartInitializingSingleton millraceCheckOnStart(StoreProbe probe) {
    return probe::require;
  }
}
