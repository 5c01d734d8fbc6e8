package dev.millrace.spring.boot;

import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.InMemoryStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configuration of a store in this process. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(InMemoryStore.class)
@ConditionalOnProperty(prefix = "millrace", name = "store", havingValue = "in-memory")
@ConditionalOnMissingBean(BlockingStore.class)
class MemoryStoreConfiguration {
  @Bean
  InMemoryStore millraceStore() {
    return new InMemoryStore();
  }
}
