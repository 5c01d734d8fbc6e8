package dev.millrace.worker;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.dynamodb.client.DynamoUsageStore;
import dev.millrace.worker.kcl.StreamClients;
import dev.millrace.worker.kcl.StreamListener;
import dev.millrace.worker.kcl.StreamReader;
import dev.millrace.worker.regions.StreamView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An aggregator that reads the stream together with other workers. */
public final class AggregatorWorker implements AutoCloseable {
  /** Most items of usage that are written at the same time. */
  private static final int WRITERS = 16;

  private final StreamReader reader;
  private final ExecutorService writers;

  private AggregatorWorker(StreamReader reader, ExecutorService writers) {
    this.reader = reader;
    this.writers = writers;
  }

  /**
   * Starts a worker.
   *
   * @param view records the written buckets, null without an exchange between regions
   */
  public static AggregatorWorker start(
      StreamClients clients,
      WorkerSettings settings,
      WorkerMetrics metrics,
      @Nullable StreamView view) {
    ExecutorService writers =
        Executors.newFixedThreadPool(WRITERS, task -> daemon(task, "millrace-usage"));
    try {
      Aggregator.Builder builder =
          Aggregator.builder(
                  DynamoUsageStore.of(clients.dynamo(), clients.table()), settings.deadLetters())
              .executor(writers)
              .listener(metrics);
      List<StreamListener> listeners = new ArrayList<>(List.of(metrics));
      if (view != null) {
        builder.listener(view);
        listeners.add(view);
      }
      settings.zones().forEach(builder::zone);
      Consumer<List<AuditEvent>> archive = settings.archive();
      if (archive != null) {
        builder.archive(archive);
      }
      if (settings.growth()) {
        builder.growth(DynamoStore.of(clients.dynamo(), clients.table()));
      }
      StreamReader reader =
          StreamReader.start(clients, settings.stream(), builder.build()::process, listeners);
      if (view != null) {
        view.over(reader::openShards);
      }
      return new AggregatorWorker(reader, writers);
    } catch (RuntimeException e) {
      writers.shutdownNow();
      throw e;
    }
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Whether it still works. */
  public boolean isRunning() {
    return reader.isRunning();
  }

  /** Stops in good order: finishes what is under way, and leaves its shards to other workers. */
  @Override
  public void close() {
    reader.close();
    writers.shutdown();
  }
}
