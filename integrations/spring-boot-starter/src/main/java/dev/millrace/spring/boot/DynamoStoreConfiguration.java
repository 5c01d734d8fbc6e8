package dev.millrace.spring.boot;

import dev.millrace.core.spi.store.BlockingStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The configuration of a store in a DynamoDB table. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(
    prefix = "millrace",
    name = "store",
    havingValue = "dynamodb",
    matchIfMissing = true)
@ConditionalOnMissingBean(BlockingStore.class)
class DynamoStoreConfiguration {
  @Bean
  DynamoClients millraceDynamoClients(
      MillraceProperties properties,
      ObjectProvider<DynamoDbClient> blocking,
      ObjectProvider<DynamoDbAsyncClient> async) {
    table(properties); // before anything is created that has to be closed
    return DynamoClients.of(properties.dynamodb(), blocking.getIfUnique(), async.getIfUnique());
  }

  @Bean
  BlockingStore millraceStore(MillraceProperties properties, DynamoClients clients) {
    return clients.store(table(properties));
  }

  private static String table(MillraceProperties properties) {
    String table = properties.dynamodb().table();
    if (table == null || table.isBlank()) {
      throw new InvalidConfigurationPropertyValueException(
          "millrace.dynamodb.table",
          table,
          "it must name the table; for a test, set millrace.store=in-memory instead");
    }
    return table;
  }
}
