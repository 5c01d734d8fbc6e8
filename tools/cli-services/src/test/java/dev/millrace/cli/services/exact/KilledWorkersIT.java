package dev.millrace.cli.services.exact;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.Acquisition;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.cli.Millrace;
import dev.millrace.cli.services.Await;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.Window;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.embedded.SharedEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Processes write through DynamoDB Local while two workers run; whoever reads the stream is killed,
 * twice. Usage is what was consumed, to the millitoken, and workers that are left alone are seldom
 * more than moments behind.
 *
 * <p>Short here; {@code docs/contribute/testing.md} tells how to run it with more processes and for
 * longer.
 */
class KilledWorkersIT {
  private static final int PROCESSES = Integer.getInteger("millrace.usage.processes", 2);
  private static final long WRITE_MS = 1_000L * Integer.getInteger("millrace.usage.seconds", 6);
  private static final int KILLS = Integer.getInteger("millrace.usage.kills", 2);

  /** A busy machine may stop everything for seconds; alone the bound is 5 s. */
  private static final long MAX_LAG_MS = Long.getLong("millrace.usage.maxLagMs", 20_000L);

  private static final int PROBES = 3;

  /** What writers have consumed when they are warm. */
  private static final long WARM_MILLI = 10_000;

  private static final String TABLE = "exact-" + ProcessHandle.current().pid();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final List<Child> children = new ArrayList<>();

  @TempDir private Path directory;

  @Test
  void usage_whileWorkersAreKilled_isWhatWasConsumedToTheMillitoken() throws Exception {
    URI engine = SharedEngine.endpoint();
    try (ServiceClients clients = ServiceClients.of(engine, null, null, null)) {
      DynamoDbClient client = clients.dynamoClient();
      TableAdmin.of(client, TABLE).createIfMissing();
      List<Child> workers = new ArrayList<>();
      workers.add(worker(engine, 0));
      workers.add(worker(engine, 1));
      Await.until("a worker has the shard", () -> readerOf(workers) != null);
      List<Child> writers = new ArrayList<>();
      for (int i = 0; i < PROCESSES; i++) {
        writers.add(writer(engine, i));
      }
      // JVMs that start are no steady state.
      Await.until(
          "the writers are at work",
          () -> Ledger.read(client, TABLE).totalMilli("rpm") > WARM_MILLI * PROCESSES);
      long steady = lagMs(client);
      for (int kill = 1; kill <= KILLS; kill++) {
        Await.until("a worker has the shard", () -> readerOf(workers) != null);
        Child reader = Objects.requireNonNull(readerOf(workers));
        reader.kill();
        workers.remove(reader);
        workers.add(worker(engine, 1 + kill));
      }
      for (Child writer : writers) {
        assertThat(writer.awaitEnd()).as(writer::story).isZero();
      }
      Await.until("usage adds up", () -> Ledger.read(client, TABLE).differences().isEmpty());
      long afterwards = lagMs(client);
      for (Child worker : workers) {
        worker.terminate(); // in good order; nothing may change any more
      }
      Ledger ledger = Ledger.read(client, TABLE);
      report(ledger, steady, afterwards);
      assertThat(ledger.differences()).isEmpty();
      assertThat(ledger.totalMilli("rpm")).isGreaterThan(500L * PROCESSES * Writer.MIN_REQUESTS);
      assertThat(steady).as("lag in steady state").isLessThan(MAX_LAG_MS);
      assertThat(afterwards).as("lag after the kills").isLessThan(MAX_LAG_MS);
    } finally {
      children.forEach(Child::close);
    }
  }

  @SuppressWarnings("SystemOut") // the figures of the long form
  private static void report(Ledger ledger, long steady, long afterwards) {
    System.out.printf(
        "%d processes, %d s, %d kills: %d requests counted exactly; lag %d ms, %d ms afterwards%n",
        PROCESSES, WRITE_MS / 1_000, KILLS, ledger.totalMilli("rpm") / 1_000, steady, afterwards);
  }

  private Child worker(URI engine, int number) {
    return child(
        "worker-" + number,
        Millrace.class,
        List.of(
            "worker",
            "--endpoint=" + engine,
            "--table=" + TABLE,
            "--name=worker-" + number,
            "--failover=1",
            "--poll=400",
            "--health-port=0",
            "--dead-letters=" + directory.resolve("dead-letters.jsonl"),
            "--json"));
  }

  private Child writer(URI engine, int number) {
    return child(
        "writer-" + number,
        Writer.class,
        List.of(engine.toString(), TABLE, String.valueOf(number), String.valueOf(WRITE_MS)));
  }

  private Child child(String name, Class<?> main, List<String> args) {
    Child child = Child.start(name, directory, main, args);
    children.add(child);
    return child;
  }

  /** Which worker reads the stream, by what they say; null when none does. */
  private static @Nullable Child readerOf(List<Child> workers)
      throws IOException, InterruptedException {
    for (Child worker : workers) {
      assertThat(worker.isAlive()).as(worker::story).isTrue();
      for (String line : worker.lines()) {
        JsonNode started = JSON.readTree(line);
        if (health(started.path("healthPort").asInt()).path("shards").asInt() > 0) {
          return worker;
        }
      }
    }
    return null;
  }

  private static JsonNode health(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health")).build();
    return JSON.readTree(HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  /** The longest of some times from a charge to its usage, of an entity of its own. */
  private static long lagMs(DynamoDbClient client) throws Exception {
    long longest = 0;
    try (RateLimiter limiter =
        RateLimiter.create(DynamoStore.of(client, TABLE), LimiterOptions.defaults())) {
      for (int i = 0; i < PROBES; i++) {
        long before = probeMilli(client);
        assertThat(limiter.tryAcquire(Writer.request("probe", 1)))
            .isInstanceOf(Acquisition.Granted.class);
        long charged = System.nanoTime();
        Await.until("the charge is in usage", () -> probeMilli(client) > before);
        longest = Math.max(longest, (System.nanoTime() - charged) / 1_000_000);
      }
    }
    return longest;
  }

  private static long probeMilli(DynamoDbClient client) {
    UsageKey key =
        UsageKey.at(
            LimiterOptions.DEFAULT_NAMESPACE,
            "probe",
            Writer.RESOURCE,
            Window.MONTH,
            System.currentTimeMillis());
    return DynamoUsageStore.of(client, TABLE).find(List.of(key)).stream()
        .mapToLong(item -> item.milli("rpm"))
        .sum();
  }
}
