package dev.millrace.tests.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.Usage;
import dev.millrace.admin.UsageAdmin;
import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.tests.support.Dynamo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** From a limiter through the real stream to what an operator is told. */
class UsageOnDynamoIT {
  private static final Limit RPM = Limit.perMinute("rpm", 1_000);
  private static final Limit TPM = Limit.perMinute("tpm", 1_000_000);
  private static final int MAX_PAGES = 100;

  @Test
  void usage_throughTheStream_isWhatWasCharged() {
    try (DynamoDbClient client = Dynamo.client();
        DynamoDbStreamsClient streams = streams()) {
      String table = Dynamo.newTable(client);
      charge(client, table);
      List<StreamRecord> records = records(client, streams, table);
      DynamoUsageStore store = DynamoUsageStore.of(client, table);
      Aggregator first = Aggregator.builder(store, UsageOnDynamoIT::noLetters).build();
      Aggregator second = Aggregator.builder(store, UsageOnDynamoIT::noLetters).build();

      int half = records.size() / 2;
      assertThat(first.process(records.subList(0, half)).isDone()).isTrue();
      assertThat(second.process(records).isDone()).isTrue();
      assertThat(first.process(records.subList(half / 2, records.size())).applied()).isZero();
      // The stream now also has the writes of usage, which are none themselves.
      List<StreamRecord> all = records(client, streams, table);
      assertThat(all.size()).isGreaterThan(records.size());
      assertThat(second.process(all).applied()).isZero();

      assertUsage(client, table, store);
    }
  }

  private static void charge(DynamoDbClient client, String table) {
    try (Admin admin = admin(client, table);
        RateLimiter limiter =
            RateLimiter.create(DynamoStore.of(client, table), LimiterOptions.defaults())) {
      NamespaceAdmin tenants = admin.in("default");
      tenants.entities().create(NewEntity.of("acme"));
      for (int key = 1; key <= 3; key++) {
        tenants.entities().create(NewEntity.of("key-" + key).under("acme").cascading());
      }
      tenants.limits().set(LimitTarget.resource("gpt-4"), LimitSet.of(RPM, TPM));
      for (int i = 0; i < 12; i++) {
        AcquireRequest request =
            AcquireRequest.of("key-" + (1 + i % 3), "gpt-4").consume("rpm", 1).consume("tpm", 100);
        Lease lease = limiter.acquire(request);
        lease.adjust("tpm", i - 5);
        if (i == 11) {
          lease.cancel();
        } else {
          lease.close();
        }
      }
    }
  }

  private static void assertUsage(DynamoDbClient client, String table, DynamoUsageStore store) {
    try (Admin admin = admin(client, table)) {
      UsageAdmin usage = admin.in("default").usage(store);
      Instant now = Instant.now();
      // The test may run over midnight.
      Instant from = now.minus(2, ChronoUnit.DAYS);
      Instant to = now.plus(2, ChronoUnit.DAYS);
      assertThat(usage.summary("acme", "gpt-4", Window.HOUR, from, to).milli("rpm"))
          .isEqualTo(11_000);
      long adjusted = 11 * 100 + (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10) - 11 * 5;
      assertThat(usage.summary("acme", "gpt-4", Window.DAY, from, to).milli("tpm"))
          .isEqualTo(adjusted * 1_000);
      long children = 0;
      for (String key : List.of("key-1", "key-2", "key-3")) {
        children += usage.summary(key, "gpt-4", Window.DAY, from, to).milli("tpm");
      }
      assertThat(children).isEqualTo(adjusted * 1_000);
      Instant month =
          usage
              .range("acme", "gpt-4", Window.MONTH, monthBefore(now), to, 10, null)
              .items()
              .get(0)
              .start();
      assertThat(usage.top("gpt-4", "rpm", Window.MONTH, month, 2))
          .extracting(Usage::entityId)
          .containsExactly("acme", "key-1");
      assertThat(usage.alongAncestors("key-2", "gpt-4", Window.MONTH, month))
          .extracting(Usage::entityId)
          .containsExactly("key-2", "acme");
      assertThat(usage.ofChildren("acme", "gpt-4", Window.MONTH, month).pieces()).isEqualTo(3);
    }
  }

  private static Instant monthBefore(Instant now) {
    return Instant.ofEpochMilli(Window.MONTH.startOf(now.minus(1, ChronoUnit.DAYS).toEpochMilli()));
  }

  private static Admin admin(DynamoDbClient client, String table) {
    return Admin.of(DynamoStore.of(client, table), AdminOptions.of("tester"));
  }

  private static void noLetters(List<DeadLetter> letters) {
    throw new AssertionError("poison: " + letters);
  }

  private static DynamoDbStreamsClient streams() {
    return DynamoDbStreamsClient.builder()
        .endpointOverride(Dynamo.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(Dynamo.credentials())
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .build();
  }

  /** Everything that is in the stream by now; it has one shard here. */
  private static List<StreamRecord> records(
      DynamoDbClient client, DynamoDbStreamsClient streams, String table) {
    String arn = client.describeTable(t -> t.tableName(table)).table().latestStreamArn();
    String shard =
        streams.describeStream(s -> s.streamArn(arn)).streamDescription().shards().get(0).shardId();
    String iterator =
        streams
            .getShardIterator(
                i ->
                    i.streamArn(arn)
                        .shardId(shard)
                        .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
            .shardIterator();
    List<StreamRecord> records = new ArrayList<>();
    for (int page = 0; page < MAX_PAGES; page++) {
      String from = iterator;
      GetRecordsResponse response = streams.getRecords(r -> r.shardIterator(from).limit(1_000));
      if (response.records().isEmpty()) {
        return records;
      }
      response.records().forEach(record -> records.add(converted(record)));
      iterator = response.nextShardIterator();
    }
    throw new AssertionError("the stream has no end");
  }

  private static StreamRecord converted(Record record) {
    return new StreamRecord(
        record.dynamodb().sequenceNumber(),
        record.dynamodb().approximateCreationDateTime().toEpochMilli(),
        record.eventName(),
        false,
        record.dynamodb().keys(),
        record.dynamodb().oldImage(),
        record.dynamodb().newImage());
  }
}
