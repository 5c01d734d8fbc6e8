package dev.millrace.spring.test;

import dev.millrace.LimiterOptions;
import dev.millrace.testkit.InMemoryStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The auto-configuration of the ledger of a store in memory. */
@AutoConfiguration(after = dev.millrace.spring.internal.MillraceAutoConfiguration.class)
@ConditionalOnClass(InMemoryStore.class)
@ConditionalOnBean(InMemoryStore.class)
class LedgerAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  TestLedger millraceLedger(InMemoryStore store, LimiterOptions options) {
    return new TestLedger(store, options.namespace());
  }
}
