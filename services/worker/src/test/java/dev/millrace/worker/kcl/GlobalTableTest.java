package dev.millrace.worker.kcl;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.worker.LocalClients;
import dev.millrace.worker.WorkerException;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;

/** A worker on a table that DynamoDB replicates between regions, which DynamoDB Local cannot. */
class GlobalTableTest {
  private static final URI NOWHERE = URI.create("http://127.0.0.1:1");

  @Test
  void start_replicatedTable_isRefusedBeforeAnythingIsRead() {
    try (LocalClients endpoints = LocalClients.of(NOWHERE)) {
      StreamClients clients = endpoints.streamClients("limits");
      StreamClients replicated =
          new StreamClients("limits", new Replicated(), clients.leases(), clients.streams());

      assertThatThrownBy(
              () ->
                  StreamReader.start(
                      replicated,
                      StreamSettings.of("app", "w"),
                      records -> {
                        throw new AssertionError("nothing is to be read: " + records);
                      },
                      List.of()))
          .isInstanceOf(WorkerException.class)
          .hasMessageStartingWith(
              "Table 'limits' is replicated by DynamoDB to [us-east-1]: remove the replicas");
    }
  }

  /** A client whose table has a replica and a stream. */
  private static final class Replicated implements DynamoDbClient {
    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
      return DescribeTableResponse.builder()
          .table(
              t ->
                  t.tableName(request.tableName())
                      .latestStreamArn("arn:aws:dynamodb:eu-west-1:1:table/limits/stream/s")
                      .replicas(ReplicaDescription.builder().regionName("us-east-1").build()))
          .build();
    }

    @Override
    public String serviceName() {
      return "dynamodb";
    }

    @Override
    public void close() {}
  }
}
