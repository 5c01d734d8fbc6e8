package dev.millrace.worker.kcl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.worker.Await;
import dev.millrace.worker.LocalClients;
import dev.millrace.worker.WorkerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;

/** KCL and its adapter on DynamoDB Local: the real protocols, leases in the same engine. */
class StreamReaderIT {
  private static final AttributeValue PK = AttributeValue.fromS("some/OTHER#");
  private static final AtomicInteger TABLES = new AtomicInteger();

  private final LocalClients endpoints = LocalClients.of(SharedEngine.endpoint());
  private final String table = "reader-" + TABLES.incrementAndGet();
  private final StreamClients clients = endpoints.streamClients(table);

  @BeforeEach
  void makeTable() {
    TableAdmin.of(clients.dynamo(), table).createIfMissing();
  }

  @AfterEach
  void close() {
    endpoints.close();
  }

  @Test
  void openShards_onlyWorker_areThoseThatItReads() throws Exception {
    Set<String> taken = ConcurrentHashMap.newKeySet();
    StreamListener listener =
        new StreamListener() {
          @Override
          public void onShardTaken(String shard) {
            taken.add(shard);
          }
        };
    write(1);
    try (StreamReader reader = start("only", done(new ArrayList<>()), List.of(listener))) {
      Await.until("it reads", () -> !taken.isEmpty() && taken.containsAll(reader.openShards()));
      assertThat(reader.openShards()).isNotEmpty();
    }
  }

  @Test
  void read_oneWorkerAfterTheOther_eachRecordIsDoneOnceInOrder() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    write(5);
    StreamReader first = start("first", done(seen), List.of());
    Await.until("read", () -> seen.size() >= 5);
    StreamReader second = start("second", done(seen), List.of());
    write(5);
    Await.until("read", () -> seen.size() >= 10);
    first.close();
    assertThat(first.isRunning()).isFalse();
    write(5);
    Await.until("read", () -> seen.size() >= 15);
    second.close();

    assertThat(seen).hasSize(15).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void read_batchFailsThenWorkerStops_theNextBeginsWithTheFirstRecordThatIsNotDone()
      throws Exception {
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger refused = new AtomicInteger();
    write(6);
    StreamReader first =
        start(
            "first",
            records -> {
              if (done.isEmpty()) {
                BatchResult unused = done(done).apply(records.subList(0, records.size() - 1));
                return failedAt(records, records.size() - 1);
              }
              refused.incrementAndGet();
              return failedAt(records, 0);
            },
            List.of());
    Await.until("read", () -> refused.get() > 1);
    first.close();
    StreamReader second = start("second", done(done), List.of());
    Await.until("read", () -> done.size() >= 6);
    second.close();

    assertThat(done).hasSize(6).isSorted().doesNotHaveDuplicates();
  }

  /** KCL keeps to the shards that it has leases for, and those are of the old stream. */
  @Test
  void read_streamSwitchedOffAndOn_anotherApplicationReadsTheNewOne() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    write(5);
    StreamReader first = start("first", done(seen), List.of());
    Await.until("read", () -> seen.size() >= 5);
    first.close();
    clients
        .dynamo()
        .updateTable(t -> t.tableName(table).streamSpecification(s -> s.streamEnabled(false)));
    clients
        .dynamo()
        .updateTable(
            t ->
                t.tableName(table)
                    .streamSpecification(
                        s ->
                            s.streamEnabled(true)
                                .streamViewType(StreamViewType.NEW_AND_OLD_IMAGES)));
    write(5);
    StreamReader second = start(table + "-new", "second", done(seen), List.of());
    Await.until("read", () -> seen.size() >= 10);
    second.close();

    assertThat(seen).hasSize(10).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void start_noSuchTable_saysSo() {
    StreamClients other = endpoints.streamClients("nowhere");
    assertThatThrownBy(
            () ->
                StreamReader.start(
                    other, StreamSettings.of("nowhere-app", "w"), this::unused, List.of()))
        .isInstanceOf(WorkerException.class)
        .hasMessage("There is no table 'nowhere'");
  }

  /** The table has a version, which is a record too. */
  private static boolean isOurs(StreamRecord record) {
    return PK.equals(record.keys().get("PK"));
  }

  private BatchResult unused(List<StreamRecord> records) {
    throw new AssertionError("there is nothing to read: " + records);
  }

  private static Function<List<StreamRecord>, BatchResult> done(List<String> seen) {
    return records -> {
      records.stream().filter(StreamReaderIT::isOurs).forEach(r -> seen.add(r.sequenceNumber()));
      return new BatchResult(records.size(), records.size(), 0, 0, 0, 0, null, null);
    };
  }

  private static BatchResult failedAt(List<StreamRecord> records, int index) {
    return new BatchResult(
        records.size(),
        0,
        0,
        0,
        0,
        0,
        records.get(index).sequenceNumber(),
        new IllegalStateException("as the test wants"));
  }

  private StreamReader start(
      String worker,
      Function<List<StreamRecord>, BatchResult> processor,
      List<StreamListener> listeners) {
    return start(table + "-app", worker, processor, listeners);
  }

  private StreamReader start(
      String application,
      String worker,
      Function<List<StreamRecord>, BatchResult> processor,
      List<StreamListener> listeners) {
    StreamSettings settings =
        new StreamSettings(
            application,
            worker,
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            100,
            StreamSettings.Start.OLDEST);
    return StreamReader.start(clients, settings, processor, listeners);
  }

  private void write(int items) {
    for (int i = 0; i < items; i++) {
      clients
          .dynamo()
          .updateItem(
              u ->
                  u.tableName(table)
                      .key(Map.of("PK", PK, "SK", PK))
                      .updateExpression("ADD n :one")
                      .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
    }
  }
}
