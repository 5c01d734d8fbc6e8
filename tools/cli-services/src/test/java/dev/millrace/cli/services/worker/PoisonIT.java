package dev.millrace.cli.services.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.cli.services.Await;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.embedded.SharedEngine;
import dev.millrace.worker.AggregatorWorker;
import dev.millrace.worker.WorkerMetrics;
import dev.millrace.worker.WorkerSettings;
import dev.millrace.worker.kcl.StreamSettings;
import dev.millrace.worker.letters.FileDeadLetters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A record that nobody understands, from the table through the worker to its replay. */
class PoisonIT {
  private static final String TABLE = "poison-" + ProcessHandle.current().pid();

  private final ServiceClients clients =
      ServiceClients.of(SharedEngine.endpoint(), null, null, null);
  private final DynamoDbClient client = clients.dynamoClient();
  private final StringWriter out = new StringWriter();

  @TempDir private Path directory;

  @Test
  void worker_poisonBetweenGoodRecords_goesOnAndTheReplayCountsItOnce() throws Exception {
    TableAdmin.of(client, TABLE).createIfMissing();
    Path letters = directory.resolve("letters.jsonl");
    WorkerMetrics metrics = new WorkerMetrics(new SimpleMeterRegistry(), System::currentTimeMillis);
    try (clients;
        RateLimiter limiter =
            RateLimiter.create(DynamoStore.of(client, TABLE), LimiterOptions.defaults());
        AggregatorWorker worker =
            AggregatorWorker.start(
                clients.streamClients(TABLE), settings(letters), metrics, null)) {
      acquire(limiter);
      poison();
      acquire(limiter);
      Await.until(
          "counted and put aside",
          () -> totalMilli("good") == 2_000 && metrics.count(WorkerMetrics.Count.POISON) == 1);
      assertThat(worker.isRunning()).isTrue();
      assertThat(totalMilli("bad")).isZero();
      assertThat(Files.readAllLines(letters)).hasSize(1);

      assertThat(replay(letters)).isEqualTo(1);
      assertThat(out.toString()).contains("\"applied\":0").contains("\"poison\":1");

      // repaired by hand
      Files.writeString(letters, Files.readString(letters).replace("other", "bad"));
      assertThat(replay(letters)).isZero();
      assertThat(replay(letters)).isZero();
      assertThat(out.toString()).contains("\"duplicates\":1");
      assertThat(totalMilli("bad")).isEqualTo(7_000);
    }
  }

  private int replay(Path letters) {
    return new CommandLine(new WorkerCommand())
        .setOut(new PrintWriter(out, true))
        .execute(
            "replay",
            "--endpoint=" + SharedEngine.endpoint(),
            "--table=" + TABLE,
            "--from=" + letters,
            "--json");
  }

  private static WorkerSettings settings(Path letters) {
    return new WorkerSettings(
        TABLE,
        new StreamSettings(
            TABLE + "-app",
            "worker",
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            100,
            StreamSettings.Start.OLDEST),
        /* zones= */ Set.of(),
        new FileDeadLetters(letters),
        null,
        /* growth= */ true);
  }

  private static void acquire(RateLimiter limiter) {
    limiter
        .acquire(
            AcquireRequest.of("good", "gpt-4")
                .limits(Limit.perMinute("rpm", 100))
                .consume("rpm", 1))
        .close();
  }

  /** A bucket that says it is another's. */
  private void poison() {
    client.putItem(
        p ->
            p.tableName(TABLE)
                .item(
                    Map.of(
                        "PK", AttributeValue.fromS("default/BUCKET#bad#gpt-4#0"),
                        "SK", AttributeValue.fromS("#STATE"),
                        "entity_id", AttributeValue.fromS("other"),
                        "resource", AttributeValue.fromS("gpt-4"),
                        "b_rpm_tc", AttributeValue.fromN("7000"))));
  }

  /** Of this month, which ends only once a month. */
  private long totalMilli(String entity) {
    long now = System.currentTimeMillis();
    UsageKey key = UsageKey.at("default", entity, "gpt-4", Window.MONTH, now);
    List<UsageItem> found = DynamoUsageStore.of(client, TABLE).find(List.of(key));
    return found.isEmpty() ? 0 : found.get(0).milli("rpm");
  }
}
