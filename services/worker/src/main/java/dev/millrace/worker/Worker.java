package dev.millrace.worker;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.AuditArchive;
import dev.millrace.aggregator.GrowthSettings;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.worker.kcl.StreamClients;
import dev.millrace.worker.kcl.StreamListener;
import dev.millrace.worker.kcl.StreamReader;
import dev.millrace.worker.regions.StreamView;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** An aggregator that reads the stream together with other workers. */
public final class Worker implements AutoCloseable {
  /** As many items of usage as are written at the same time. */
  private static final int WRITERS = 16;

  private final StreamReader reader;
  private final ExecutorService writers;

  private Worker(StreamReader reader, ExecutorService writers) {
    this.reader = reader;
    this.writers = writers;
  }

  /** Begins to work. */
  public static Worker start(Endpoints endpoints, WorkerSettings settings, WorkerMetrics metrics) {
    return start(endpoints, settings, metrics, null);
  }

  /** Begins to work, and lets {@code view} see which buckets are written. */
  public static Worker start(
      Endpoints endpoints,
      WorkerSettings settings,
      WorkerMetrics metrics,
      @Nullable StreamView view) {
    StreamClients clients = endpoints.streamClients(settings.table());
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS, Worker::daemon);
    try {
      Aggregator aggregator = aggregator(clients.dynamo(), settings, writers, metrics, view);
      StreamReader reader =
          StreamReader.start(
              clients,
              settings.stream(),
              aggregator::process,
              view == null ? metrics : StreamListener.both(metrics, view));
      if (view != null) {
        view.over(reader::openShards);
      }
      return new Worker(reader, writers);
    } catch (RuntimeException e) {
      writers.shutdownNow();
      throw e;
    }
  }

  private static Aggregator aggregator(
      DynamoDbClient client,
      WorkerSettings settings,
      ExecutorService writers,
      WorkerMetrics metrics,
      @Nullable StreamView view) {
    Aggregator.Builder builder =
        Aggregator.builder(DynamoUsageStore.of(client, settings.table()), settings.deadLetters())
            .settings(settings.usage())
            .executor(writers)
            .listener(metrics);
    if (view != null) {
      builder.listener(view);
    }
    AuditArchive archive = settings.archive();
    if (archive != null) {
      builder.archive(archive);
    }
    GrowthSettings growth = settings.growth();
    if (growth != null) {
      builder.growth(DynamoStore.of(client, settings.table()), growth);
    }
    return builder.build();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "millrace-usage");
    thread.setDaemon(true);
    return thread;
  }

  /** Whether it still works. */
  public boolean isRunning() {
    return reader.isRunning();
  }

  /** Stops in good order: what is under way is finished, and others take over at once. */
  @Override
  public void close() {
    reader.close();
    writers.shutdown();
  }
}
