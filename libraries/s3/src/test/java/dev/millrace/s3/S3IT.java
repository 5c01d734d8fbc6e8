package dev.millrace.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.RecordKey;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** The archive and the dead letters on a real server of S3's protocol. */
class S3IT {
  private static S3Server server;

  @BeforeAll
  static void start() {
    server = S3Server.start();
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  @Test
  void put_event_isALineInThePartitionOfItsDay() throws IOException {
    archive("one").accept(List.of(event("1794700000000-aa", "2026-11-15T23:59:59.999Z")));

    String name = "one/namespace=ns1/date=2026-11-15/1794700000000-aa-bca3685f.jsonl.gz";
    assertThat(server.names("one/")).containsExactly(name);
    assertThat(server.unzipped(name))
        .isEqualTo(
            "{\"namespace\":\"ns1\",\"subject\":\"entity\",\"id\":\"1794700000000-aa\","
                + "\"at\":\"2026-11-15T23:59:59.999Z\",\"atMs\":1794787199999,"
                + "\"actor\":\"ops\\u00e9\",\"action\":\"limits.set\","
                + "\"before\":{},\"after\":{\"a\":\"1\",\"b\":\"2\"}}\n");
  }

  @Test
  void put_redeliveredInOtherBatchesByTwoArchiversAtOnce_eachEventIsThereOnce()
      throws InterruptedException, ExecutionException, IOException {
    List<AuditEvent> events = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      events.add(event("179470000%04d-aa".formatted(i), "2026-11-15T10:00:00Z"));
    }
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> both = new ArrayList<>();
      for (int size : new int[] {3, 7}) {
        both.add(threads.submit(() -> putInBatches(events, size)));
      }
      for (Future<?> one : both) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    List<String> first = server.names("many/");
    byte[] before = server.bytes(first.get(0));
    archive("many").accept(events.subList(0, 2));

    assertThat(server.names("many/")).hasSize(20).isEqualTo(first).isSorted();
    assertThat(server.bytes(first.get(0))).isEqualTo(before);
    StringBuilder all = new StringBuilder();
    for (String name : first) {
      all.append(server.unzipped(name));
    }
    assertThat(all.toString().lines()).hasSize(20).doesNotHaveDuplicates();
  }

  private static void putInBatches(List<AuditEvent> events, int size) {
    for (int from = 0; from < events.size(); from += size) {
      // each batch overlaps the one before
      archive("many")
          .accept(events.subList(Math.max(0, from - 1), Math.min(events.size(), from + size)));
    }
  }

  @Test
  void put_noSuchBucket_throwsSoThatTheBatchComesAgain() {
    Consumer<List<AuditEvent>> archive =
        S3Destinations.archive(server.client(), S3Location.parse("s3://nowhere/audit"));
    assertThatThrownBy(() -> archive.accept(List.of(event("1", "2026-11-15T10:00:00Z"))))
        .isInstanceOf(NoSuchBucketException.class);
  }

  @Test
  void put_sameLetterTwice_isOneObject() throws IOException {
    Consumer<List<DeadLetter>> letters =
        S3Destinations.deadLetters(server.client(), S3Location.parse("s3://kept/letters"));
    letters.accept(List.of(letter("000123"), letter("../../etc")));
    letters.accept(List.of(letter("000123")));

    List<String> names = server.names("letters/");
    assertThat(names).hasSize(2).first().isEqualTo("letters/000123.json");
    assertThat(names.get(1)).matches("letters/unnumbered-[0-9a-f]{16}\\.json");
    assertThat(new String(server.bytes(names.get(0)), java.nio.charset.StandardCharsets.UTF_8))
        .startsWith("{\"error\":\"broken\",\"record\":{\"sequenceNumber\":\"000123\"");
  }

  private static DeadLetter letter(String number) {
    return new DeadLetter(
        new StreamRecord(
            number,
            5,
            OperationType.MODIFY,
            false,
            Map.of("PK", AttributeValue.fromS("x")),
            Map.of(),
            Map.of()),
        "broken");
  }

  private static Consumer<List<AuditEvent>> archive(String prefix) {
    return S3Destinations.archive(server.client(), S3Location.parse("s3://kept/" + prefix));
  }

  private static AuditEvent event(String id, String at) {
    return new AuditEvent(
        new RecordKey.Audit("ns1", "entity", id),
        Instant.parse(at).toEpochMilli(),
        "opsé",
        "limits.set",
        Map.of(),
        Map.of("b", "2", "a", "1"),
        0);
  }
}
