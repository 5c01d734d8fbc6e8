package dev.millrace.spring.boot;

import dev.millrace.RateLimiter;
import dev.millrace.spring.ChargeRegistry;
import dev.millrace.spring.actuate.ActuatorHealth;
import dev.millrace.spring.actuate.Boot4Health;
import dev.millrace.spring.actuate.MillraceEndpoint;
import dev.millrace.spring.actuate.StoreHealthCheck;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The auto-configuration of the endpoint {@code /actuator/millrace} and the health of the store.
 * Health has another package in Boot 4, so there are two indicators, of which one is loaded.
 */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnBean(RateLimiter.class)
public class MillraceActuatorAutoConfiguration {
  /** The endpoint. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class EndpointConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(endpoint = MillraceEndpoint.class)
    MillraceEndpoint millraceEndpoint(RateLimiter limiter, ChargeRegistry book) {
      return new MillraceEndpoint(limiter, book);
    }
  }

  /** Health of Boot 3. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  @ConditionalOnBean(StoreProbe.class)
  @ConditionalOnProperty(
      prefix = "management.health.millrace",
      name = "enabled",
      matchIfMissing = true)
  static class ActuatorHealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "millraceHealthIndicator")
    ActuatorHealth millraceHealthIndicator(StoreProbe probe, RateLimiter limiter) {
      return new ActuatorHealth(new StoreHealthCheck(probe::trouble, limiter));
    }
  }

  /** Health of Boot 4. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @ConditionalOnBean(StoreProbe.class)
  @ConditionalOnProperty(
      prefix = "management.health.millrace",
      name = "enabled",
      matchIfMissing = true)
  static class Boot4HealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "millraceHealthIndicator")
    Boot4Health millraceHealthIndicator(StoreProbe probe, RateLimiter limiter) {
      return new Boot4Health(new StoreHealthCheck(probe::trouble, limiter));
    }
  }
}
