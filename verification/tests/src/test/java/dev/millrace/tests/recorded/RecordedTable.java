package dev.millrace.tests.recorded;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Threads;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.SafeRetries;
import dev.millrace.testkit.ManualClock;
import dev.millrace.tests.support.Dynamo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A table whose requests are recorded. Time is a clock that stands still, ids come from a seed, and
 * a request that charges several buckets charges them one after the other, so that two runs of a
 * scenario send the same requests in the same order.
 */
final class RecordedTable implements AutoCloseable {
  /** In 2100: the engine removes what has expired by its own clock. */
  static final long START_MS = 4_102_444_800_000L;

  private static final Duration TIMEOUT = Duration.ofMinutes(1); // a busy machine is no subject
  private static final AtomicInteger TABLES = new AtomicInteger();

  final ManualClock clock = new ManualClock(START_MS);
  final RequestLog log = new RequestLog();
  final String name = "recorded" + ProcessHandle.current().pid() + "x" + TABLES.incrementAndGet();
  final DynamoDbClient client =
      DynamoDbClient.builder()
          .endpointOverride(Dynamo.endpoint())
          .region(Region.US_EAST_1)
          .credentialsProvider(Dynamo.credentials())
          .httpClientBuilder(UrlConnectionHttpClient.builder())
          .overrideConfiguration(
              configuration -> {
                SafeRetries.configure(configuration);
                configuration.addExecutionInterceptor(log);
                configuration.addExecutionInterceptor(new ServerTime(clock));
              })
          .build();

  private final String scenario;
  private final RandomGenerator random;
  private final Admin admin;

  RecordedTable(String scenario) {
    this.scenario = scenario;
    // Tokens of transactions are known to the engine across its tables.
    this.random = new Random(scenario.hashCode());
    this.admin =
        Admin.of(
            DynamoStore.of(client, name),
            AdminOptions.builder("recorder")
                .timeout(TIMEOUT)
                .concurrency(1)
                .pacer(ms -> {})
                .clockMs(clock::nowMs)
                .random(random)
                .build());
    create("");
  }

  /** Creates a table whose name ends with {@code suffix}. */
  void create(String suffix) {
    TableAdmin.of(client, name + suffix).createIfMissing();
  }

  NamespaceAdmin admin() {
    return admin.in("default");
  }

  LimiterOptions.Builder options() {
    return LimiterOptions.builder()
        .time(clock)
        .timeout(TIMEOUT)
        .threads(new CallingThread())
        .random(random);
  }

  /** A limiter of its own, as another process has it. */
  RateLimiter limiter(LimiterOptions.Builder options) {
    return RateLimiter.create(DynamoStore.of(client, name), options.build());
  }

  /** What {@code action} sends belongs to one step of the scenario. */
  void step(String title, Runnable action) {
    log.title(title);
    action.run();
  }

  void advance(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  /**
   * Compares what the steps sent, apart from the name of the table and the ids of carry-overs,
   * which nothing can make predictable.
   */
  void assertAsRecorded() throws IOException {
    String text =
        log.text()
            .replace(name, "limits")
            .replaceAll("\"\\$[0-9a-f]+\"", "\"\\$id\"")
            .replaceAll("\"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\"", "\"token\"");
    RecordedText.assertAsRecorded(scenario, text);
  }

  @Override
  public void close() {
    admin.close();
    client.close();
  }

  /** No further threads: the caller runs one after the other what helpers would run beside it. */
  private static final class CallingThread implements Threads {
    @Override
    public long nanoTime() {
      return Threads.system().nanoTime();
    }

    @Override
    public boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException {
      return Threads.system().await(event, maxNanos);
    }

    @Override
    public ExecutorService helpers(String purpose, int maxThreads) {
      return new InlineExecutor();
    }
  }

  /** Runs each task on the thread that submits it. */
  private static final class InlineExecutor extends AbstractExecutorService {
    private volatile boolean stopped;

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {
      stopped = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      stopped = true;
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return stopped;
    }

    @Override
    public boolean isTerminated() {
      return stopped;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return stopped;
    }
  }

  /** Answers have the time of the clock that stands still, by which the administration writes. */
  private record ServerTime(ManualClock clock) implements ExecutionInterceptor {
    @Override
    public SdkHttpResponse modifyHttpResponse(
        Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
      String date =
          DateTimeFormatter.RFC_1123_DATE_TIME.format(
              Instant.ofEpochMilli(clock.nowMs()).atOffset(ZoneOffset.UTC));
      return context.httpResponse().toBuilder().putHeader("Date", date).build();
    }
  }
}
