package dev.millrace.examples.springboot;

import dev.millrace.examples.common.LocalTable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * DynamoDB Local with its table. A service on AWS is without this class: the starter makes its own
 * client where there is no bean, with the SDK's credentials and region.
 */
@Configuration(proxyBeanMethods = false)
class LocalEngine {
  @Bean
  LocalTable table() {
    return LocalTable.create("limits");
  }

  @Bean(destroyMethod = "") // closed with the table
  DynamoDbClient dynamo(LocalTable table) {
    return table.client();
  }
}
