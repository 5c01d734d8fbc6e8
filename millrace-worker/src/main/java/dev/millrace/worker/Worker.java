package dev.millrace.worker;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.AuditArchive;
import dev.millrace.aggregator.GrowthSettings;
import dev.millrace.aggregator.RefillSettings;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.worker.kcl.StreamClients;
import dev.millrace.worker.kcl.StreamReader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
    StreamClients clients = endpoints.streamClients(settings.table());
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS, Worker::daemon);
    try {
      Aggregator aggregator = aggregator(clients.dynamo(), settings, writers, metrics);
      return new Worker(
          StreamReader.start(clients, settings.stream(), aggregator::process, metrics), writers);
    } catch (RuntimeException e) {
      writers.shutdownNow();
      throw e;
    }
  }

  private static Aggregator aggregator(
      DynamoDbClient client,
      WorkerSettings settings,
      ExecutorService writers,
      WorkerMetrics metrics) {
    Aggregator.Builder builder =
        Aggregator.builder(DynamoUsageStore.of(client, settings.table()), settings.deadLetters())
            .settings(settings.usage())
            .executor(writers)
            .listener(metrics);
    AuditArchive archive = settings.archive();
    if (archive != null) {
      builder.archive(archive);
    }
    GrowthSettings growth = settings.growth();
    if (growth != null) {
      builder.growth(DynamoStore.of(client, settings.table()), growth);
    }
    RefillSettings refill = settings.refill();
    if (refill != null) {
      builder.refill(DynamoStore.of(client, settings.table()), refill);
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
