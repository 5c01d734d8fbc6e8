package dev.millrace.spring.internal;

import dev.millrace.RateLimiter;
import java.util.Map;
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
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class EndpointConfiguration {
    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = MillraceEndpoint.class)
    MillraceEndpoint millraceEndpoint(RateLimiter limiter, ChargeRegistry registry) {
      return new MillraceEndpoint(limiter, registry);
    }
  }

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
    org.springframework.boot.actuate.health.HealthIndicator millraceHealthIndicator(
        StoreProbe probe, RateLimiter limiter) {
      return () -> {
        Map<String, Object> details = probe.health(limiter.metrics());
        return (details.containsKey("store")
                ? org.springframework.boot.actuate.health.Health.down()
                : org.springframework.boot.actuate.health.Health.up())
            .withDetails(details)
            .build();
      };
    }
  }

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
    org.springframework.boot.health.contributor.HealthIndicator millraceHealthIndicator(
        StoreProbe probe, RateLimiter limiter) {
      return () -> {
        Map<String, Object> details = probe.health(limiter.metrics());
        return (details.containsKey("store")
                ? org.springframework.boot.health.contributor.Health.down()
                : org.springframework.boot.health.contributor.Health.up())
            .withDetails(details)
            .build();
      };
    }
  }
}
