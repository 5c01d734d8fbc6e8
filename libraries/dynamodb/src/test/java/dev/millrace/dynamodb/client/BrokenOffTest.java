package dev.millrace.dynamodb.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** An HTTP client may let an error of its connection through as it is. */
class BrokenOffTest {
  private static final BucketKey KEY = BucketKey.first("ns", "key", "chat");

  private static final class Refusing implements DynamoDbClient {
    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
      throw new UncheckedIOException(new ConnectException("Connection refused"));
    }

    @Override
    public DynamoDbServiceClientConfiguration serviceClientConfiguration() {
      return DynamoDbServiceClientConfiguration.builder()
          .overrideConfiguration(ClientOverrideConfiguration.builder().build())
          .build();
    }

    @Override
    public String serviceName() {
      return "dynamodb";
    }

    @Override
    public void close() {}
  }

  @Test
  void execute_connectionBreaksUnchecked_isUnknown() {
    try (DynamoDbClient client = new Refusing()) {
      WritePlan plan = new WritePlan.Resize(KEY, 1, 2, 0, "op");

      StoreReply reply =
          DynamoStore.of(client, TestStore.TABLE).execute(new StoreCall.Write(plan), 1_000);

      assertThat(reply).isInstanceOf(StoreReply.Unknown.class);
      StoreFailure failure = ((StoreReply.Unknown) reply).failure();
      assertThat(failure.kind()).isEqualTo(StoreFailure.Kind.BROKEN);
    }
  }
}
