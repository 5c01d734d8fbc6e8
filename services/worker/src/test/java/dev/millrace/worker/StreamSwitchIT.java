package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.worker.kcl.SdkRecords;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** A table whose stream is switched off and on has another one, with numbers of its own. */
class StreamSwitchIT {
  private static final String TABLE = "switched-" + ProcessHandle.current().pid();
  private static final int FIRST = 20;
  private static final int SECOND = 3;

  private final LocalClients endpoints = LocalClients.of(SharedEngine.endpoint());
  private final DynamoDbClient client = endpoints.dynamoClient();

  @Test
  void usage_streamSwitchedOffAndOn_countsWhatBothBring() {
    TableAdmin.of(client, TABLE).createIfMissing();
    try (endpoints;
        DynamoDbStreamsClient streams = endpoints.streamClients(TABLE).streams().build();
        RateLimiter limiter =
            RateLimiter.create(DynamoStore.of(client, TABLE), LimiterOptions.defaults())) {
      acquire(limiter, FIRST);
      List<StreamRecord> higher = records(streams);
      switchOffAndOn();
      acquire(limiter, SECOND);
      List<StreamRecord> lower = records(streams);
      assertThat(lower.get(0).stream()).isNotEqualTo(higher.get(0).stream());
      if (number(higher).compareTo(number(lower)) < 0) {
        // The numbers of DynamoDB Local go on: so the other stream is the one with the lower ones.
        List<StreamRecord> swapped = higher;
        higher = lower;
        lower = swapped;
      }
      count(higher);
      count(lower);
      assertThat(totalMilli()).isEqualTo((FIRST + SECOND) * 1_000L);
      count(lower);
      count(higher);

      assertThat(totalMilli()).as("all of it again").isEqualTo((FIRST + SECOND) * 1_000L);
    }
  }

  private void switchOffAndOn() {
    client.updateTable(u -> u.tableName(TABLE).streamSpecification(s -> s.streamEnabled(false)));
    client.updateTable(
        u ->
            u.tableName(TABLE)
                .streamSpecification(
                    s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)));
  }

  private static void acquire(RateLimiter limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter
          .acquire(
              AcquireRequest.of("key-1", "gpt-4")
                  .limits(Limit.perMinute("rpm", 1_000_000))
                  .consume("rpm", 1))
          .close();
    }
  }

  /** By an aggregator that remembers nothing: the marks in the table must tell. */
  private void count(List<StreamRecord> records) {
    Aggregator aggregator =
        Aggregator.builder(
                DynamoUsageStore.of(client, TABLE),
                letters -> {
                  throw new AssertionError("poison: " + letters);
                })
            .build();
    assertThat(aggregator.process(records).isDone()).isTrue();
  }

  private List<StreamRecord> records(DynamoDbStreamsClient streams) {
    String arn = client.describeTable(t -> t.tableName(TABLE)).table().latestStreamArn();
    String label = StreamRecord.labelOf(arn);
    List<StreamRecord> records = new ArrayList<>();
    for (Shard shard : streams.describeStream(d -> d.streamArn(arn)).streamDescription().shards()) {
      String iterator =
          streams
              .getShardIterator(
                  i ->
                      i.streamArn(arn)
                          .shardId(shard.shardId())
                          .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
              .shardIterator();
      for (Record record : streams.getRecords(r -> r.shardIterator(iterator)).records()) {
        records.add(SdkRecords.of(label, record));
      }
    }
    return records;
  }

  private static SequenceNumber number(List<StreamRecord> records) {
    return SequenceNumber.of(records.get(0).sequenceNumber());
  }

  private long totalMilli() {
    UsageKey key =
        UsageKey.at("default", "key-1", "gpt-4", Window.MONTH, System.currentTimeMillis());
    List<UsageItem> items = DynamoUsageStore.of(client, TABLE).find(List.of(key));
    return items.isEmpty() ? 0 : items.get(0).milli("rpm");
  }
}
