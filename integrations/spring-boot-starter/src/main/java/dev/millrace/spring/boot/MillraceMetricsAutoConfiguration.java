package dev.millrace.spring.boot;

import dev.millrace.LimiterMetrics;
import dev.millrace.spring.actuate.MillraceMeters;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The auto-configuration of the limiter's meters, in every meter registry of the application. */
@AutoConfiguration(before = MillraceAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnProperty(prefix = "millrace", name = "enabled", matchIfMissing = true)
public class MillraceMetricsAutoConfiguration {
  /** Listens to the limiter; Boot binds it to the registries. */
  @Bean
  @ConditionalOnMissingBean
  MillraceMeters millraceMeters() {
    return new MillraceMeters();
  }

  /** The counts without labels: they listen to the limiter too. */
  @Bean
  @ConditionalOnMissingBean
  LimiterMetrics millraceTotals(MillraceMeters meters) {
    return meters.totals();
  }
}
