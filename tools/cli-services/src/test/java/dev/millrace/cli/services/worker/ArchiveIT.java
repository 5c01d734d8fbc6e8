package dev.millrace.cli.services.worker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NewEntity;
import dev.millrace.cli.services.Await;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedS3;
import dev.millrace.embedded.SharedEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Audit events, from the administration through the stream and the worker to S3. */
class ArchiveIT {
  private static final String TABLE = "archive-" + ProcessHandle.current().pid();
  private static final String LEASES = TABLE + "-app";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EmbeddedS3 server = EmbeddedS3.start();
  private final ServiceClients clients =
      ServiceClients.of(SharedEngine.endpoint(), server.endpoint(), null, null);
  private final DynamoDbClient dynamo = clients.dynamoClient();
  private final S3Client s3 = clients.s3Client();
  private final StringWriter out = new StringWriter();

  @TempDir private Path directory;

  @Test
  void worker_restartedWithoutItsCheckpoint_everyEventIsArchivedOnce() throws Exception {
    TableAdmin.of(dynamo, TABLE).createIfMissing();
    s3.createBucket(b -> b.bucket("kept"));
    try (server;
        clients) {
      change("first");
      runUntilArchived(3);
      Map<String, byte[]> before = objects();
      forgetCheckpoints();
      change("second");
      runUntilArchived(6);

      Map<String, byte[]> after = objects();
      assertThat(after).containsAllEntriesOf(before);
      assertThat(archivedIds(after)).hasSize(6).containsExactlyElementsOf(eventIds());
    }
  }

  /** Three events. */
  private void change(String entity) {
    try (Admin admin = Admin.of(DynamoStore.of(dynamo, TABLE), AdminOptions.of("alice"))) {
      admin.in("default").entities().create(NewEntity.of(entity));
      for (int limit : new int[] {100, 200}) {
        admin
            .in("default")
            .limits()
            .set(
                LimitTarget.entityResource(entity, "gpt-4"),
                LimitSet.of(Limit.perMinute("rpm", limit)));
      }
    }
  }

  private void runUntilArchived(int events) throws Exception {
    Thread worker = new Thread(this::run, "worker");
    worker.start();
    try {
      Await.until(
          events + " events are archived: " + out,
          () -> {
            assertThat(worker.isAlive()).as(out.toString()).isTrue();
            return names().size() >= events;
          });
    } finally {
      worker.interrupt(); // which stops it, its leases not given back
      worker.join();
    }
  }

  private void run() {
    int unused =
        new CommandLine(new WorkerCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(out, true))
            .execute(
                "--endpoint=" + SharedEngine.endpoint(),
                "--s3-endpoint=" + server.endpoint(),
                "--table=" + TABLE,
                "--application=" + LEASES,
                "--archive=s3://kept/audit",
                "--dead-letters=" + directory.resolve("letters.jsonl"),
                "--failover=1",
                "--poll=50");
  }

  /** As if it had died before it could make one, and its leases had expired: all comes again. */
  private void forgetCheckpoints() {
    for (Map<String, AttributeValue> lease :
        dynamo.scanPaginator(s -> s.tableName(LEASES).consistentRead(true)).items()) {
      dynamo.updateItem(
          u ->
              u.tableName(LEASES)
                  .key(Map.of("leaseKey", Objects.requireNonNull(lease.get("leaseKey"))))
                  .updateExpression("SET checkpoint = :start REMOVE leaseOwner")
                  .expressionAttributeValues(
                      Map.of(":start", AttributeValue.fromS("TRIM_HORIZON"))));
    }
  }

  private List<String> names() {
    return s3.listObjectsV2(l -> l.bucket("kept")).contents().stream().map(S3Object::key).toList();
  }

  private Map<String, byte[]> objects() {
    Map<String, byte[]> objects = new TreeMap<>();
    for (String name : names()) {
      objects.put(name, s3.getObjectAsBytes(g -> g.bucket("kept").key(name)).asByteArray());
    }
    return objects;
  }

  private static List<String> archivedIds(Map<String, byte[]> objects) throws IOException {
    List<String> ids = new ArrayList<>();
    for (Map.Entry<String, byte[]> object : objects.entrySet()) {
      assertThat(object.getKey())
          .matches("audit/namespace=[^/]+/date=\\d{4}-\\d\\d-\\d\\d/[^/]+\\.jsonl\\.gz");
      for (String line : unzipped(object.getValue()).lines().toList()) {
        JsonNode event = JSON.readTree(line);
        assertThat(event.path("actor").asText()).isEqualTo("alice");
        ids.add(event.path("id").asText());
      }
    }
    return ids.stream().sorted().toList();
  }

  private static String unzipped(byte[] bytes) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The events that are in the table. */
  private List<String> eventIds() {
    List<String> ids = new ArrayList<>();
    for (Map<String, AttributeValue> item :
        dynamo.scanPaginator(s -> s.tableName(TABLE).consistentRead(true)).items()) {
      String sort = Objects.requireNonNull(item.get("SK")).s();
      if (sort.startsWith("#AUDIT#")) {
        ids.add(sort.substring("#AUDIT#".length()));
      }
    }
    return ids.stream().sorted().toList();
  }
}
