package dev.millrace.worker.kcl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.worker.Await;
import dev.millrace.worker.LocalClients;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** KCL and its adapter on a stream whose shards end, with their leases on DynamoDB Local. */
class ShardRolloverIT {
  private static final String TABLE = "rollover-" + ProcessHandle.current().pid();
  private static final int FAILURES = 2;

  private final List<String> done = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  @Test
  void read_shardThatHasEnded_isDoneToItsEndBeforeItsChildrenAreRead() throws Exception {
    try (LocalClients endpoints = LocalClients.of(SharedEngine.endpoint());
        RollingStream stream = new RollingStream()) {
      StreamClients own = endpoints.streamClients(TABLE);
      TableAdmin.of(own.dynamo(), TABLE).createIfMissing();
      StreamClients clients =
          new StreamClients(
              TABLE, own.dynamo(), own.leases(), own.streams().endpointOverride(stream.endpoint()));
      String last = stream.numbersOf(RollingStream.PARENT).get(2);
      StreamReader reader =
          StreamReader.start(clients, settings(), records -> process(records, last), List.of());
      try {
        Await.until("all shards are read", () -> done.size() >= 6);
        Await.until("the parent is ended", () -> checkpoints(own).containsValue("SHARD_END"));
      } finally {
        // KCL keeps the thread that read a shard for a minute after its end: not waited for here.
        Thread.currentThread().interrupt();
        reader.close();
        boolean unused = Thread.interrupted();
      }
      List<String> parent = stream.numbersOf(RollingStream.PARENT);
      assertThat(done).hasSize(6).doesNotHaveDuplicates().startsWith(parent.toArray(String[]::new));
      for (String child : RollingStream.CHILDREN) {
        assertThat(done).containsSubsequence(stream.numbersOf(child));
      }
      assertThat(failures).as("the end of the parent was not easy").hasValue(FAILURES);
    }
  }

  /** The last record of the parent fails at first, while the children are there to be read. */
  private BatchResult process(List<StreamRecord> records, String last) {
    for (int i = 0; i < records.size(); i++) {
      String number = records.get(i).sequenceNumber();
      if (number.equals(last) && failures.get() < FAILURES) {
        failures.incrementAndGet();
        return new BatchResult(
            records.size(), i, 0, 0, 0, 0, number, new IllegalStateException("as the test wants"));
      }
      done.add(number);
    }
    return new BatchResult(records.size(), records.size(), 0, 0, 0, 0, null, null);
  }

  /** By lease, how far it is read. */
  private static Map<String, String> checkpoints(StreamClients clients) {
    Map<String, String> checkpoints = new HashMap<>();
    for (Map<String, AttributeValue> lease :
        clients.dynamo().scanPaginator(s -> s.tableName(TABLE + "-app")).items()) {
      AttributeValue checkpoint = lease.get("checkpoint");
      if (checkpoint != null) {
        checkpoints.put(Objects.requireNonNull(lease.get("leaseKey")).s(), checkpoint.s());
      }
    }
    return checkpoints;
  }

  private static StreamSettings settings() {
    return new StreamSettings(
        TABLE + "-app",
        "worker",
        Duration.ofSeconds(1),
        Duration.ofMillis(50),
        100,
        StreamSettings.Start.OLDEST);
  }
}
