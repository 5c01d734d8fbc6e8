package dev.millrace.cli.services.worker;

import dev.millrace.aggregator.DeadLetter;
import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.services.S3LocationConverter;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.text.JsonText;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedDynamo;
import dev.millrace.embedded.EmbeddedEngineException;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.s3.S3Destinations;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import dev.millrace.worker.AggregatorWorker;
import dev.millrace.worker.HealthServer;
import dev.millrace.worker.StopSignal;
import dev.millrace.worker.WorkerException;
import dev.millrace.worker.WorkerMetrics;
import dev.millrace.worker.WorkerMetrics.Count;
import dev.millrace.worker.WorkerSettings;
import dev.millrace.worker.kcl.StreamSettings;
import dev.millrace.worker.letters.FileDeadLetters;
import dev.millrace.worker.regions.RegionLoop;
import dev.millrace.worker.regions.RegionMetrics;
import dev.millrace.worker.regions.StreamView;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** Runs an aggregator that shares the stream with other workers. */
@Command(
    name = "worker",
    description = {
      "Turns the table's stream into usage, growth of hot buckets and an archive of audit events.",
      "Any number of workers share the stream and take over from each other."
    },
    subcommands = ReplayCommand.class,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:stopped as asked",
      "1:gave up: a batch failed for a quarter of an hour, or the stream ended",
      "2:wrong usage",
      "5:could not start"
    })
public final class WorkerCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int MAX_PORT = 65_535;
  private static final String DEFAULT_NAMESPACE = "default";
  private static final int NO_PORT = -1;

  @Mixin private TableOptions options = new TableOptions();

  @Option(
      names = "--embedded",
      description = "Start DynamoDB Local and make the table; others may use its endpoint.")
  private boolean embedded;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "With --embedded: keep its state in DIR (default: in memory).")
  private @Nullable Path data;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "The worker's name, no other's (default: a random one).")
  private @Nullable String name;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = {
        "What workers that share the stream have in common: the table of their leases",
        "(default: TABLE-aggregator)."
      })
  private @Nullable String application;

  @Option(
      names = "--dead-letters",
      paramLabel = "PLACE",
      defaultValue = "dead-letters.jsonl",
      description = {
        "Where records go that cannot be understood: a file, or s3://bucket/prefix",
        "(default: ${DEFAULT-VALUE})."
      })
  private String deadLetters;

  @Option(
      names = "--archive",
      paramLabel = "s3://BUCKET/PREFIX",
      converter = S3LocationConverter.class,
      description = "Where audit events are kept (default: nowhere).")
  private @Nullable S3Location archive;

  @Option(names = "--no-growth", description = "Leave the division of hot buckets to the limiters.")
  private boolean noGrowth;

  @Option(
      names = "--exchange",
      paramLabel = "s3://BUCKET/PREFIX",
      converter = S3LocationConverter.class,
      description =
          "Share limits of the default namespace with other regions there (default: not).")
  private @Nullable S3Location exchange;

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      defaultValue = "OLDEST",
      description =
          "Where to begin in a stream that nobody read: OLDEST or LATEST (default: OLDEST).")
  private StreamSettings.Start from;

  @Option(
      names = "--failover",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "A worker that is silent so long has died (default: ${DEFAULT-VALUE}).")
  private double failover;

  @Option(
      names = "--poll",
      paramLabel = "MS",
      defaultValue = "250",
      description = "Pause between two reads of a shard (default: ${DEFAULT-VALUE}).")
  private long pollMs;

  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Most records of one read (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--health-port",
      paramLabel = "N",
      defaultValue = "-1",
      description = "Answer /health and /metrics there; 0 for any free port (default: do not).")
  private int healthPort;

  @Option(
      names = "--health-host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "On which address; 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  private String healthHost;

  @Option(
      names = "--max-lag",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Further behind than this, /health says 503 (default: ${DEFAULT-VALUE}).")
  private long maxLag;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Stop after that time (default: when told to).")
  private @Nullable Double seconds;

  @Option(names = "--json", description = "Print what happens as lines of JSON.")
  private boolean json;

  @Override
  public Integer call() {
    check();
    try (StopSignal signal = StopSignal.atShutdown();
        EmbeddedDynamo engine = embedded ? startEngine() : null) {
      URI endpoint = engine == null ? options.endpoint() : engine.endpoint();
      try (ServiceClients clients = options.clients(endpoint)) {
        if (embedded) {
          TableAdmin.of(clients.dynamoClient(), options.table()).createIfMissing();
        }
        return run(clients, endpoint, signal);
      }
    } catch (WorkerException | EmbeddedEngineException | SdkException e) {
      printError("worker", e.getMessage());
      return ExitCodes.UNREACHABLE;
    }
  }

  private EmbeddedDynamo startEngine() {
    return (data == null ? EmbeddedDynamo.inMemory() : EmbeddedDynamo.onDisk(data))
        .onProgress(output(json)::note)
        .start();
  }

  private int run(ServiceClients clients, @Nullable URI endpoint, StopSignal signal) {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    WorkerMetrics metrics = new WorkerMetrics(meters, System::currentTimeMillis);
    WorkerSettings settings = settings(clients);
    Duration window = Duration.ofMillis(AllocationPolicy.DEFAULT.windowMs());
    RegionMetrics exchanged = exchange == null ? null : new RegionMetrics(meters);
    StreamView view = exchange == null ? null : new StreamView(metrics::lagMs, window.toMillis());
    boolean requested;
    try (AggregatorWorker worker =
            AggregatorWorker.start(
                clients.streamClients(settings.table()), settings, metrics, view);
        RegionLoop regions =
            exchanged == null || view == null
                ? null
                : startRegions(clients, exchanged, view, window);
        HealthServer health = health(meters, metrics, worker, exchanged)) {
      printStarted(settings, endpoint, health == null ? NO_PORT : health.port());
      if (regions != null) {
        output(json).note("takes part in the exchange at " + exchange);
      }
      requested = await(worker, metrics, signal);
    }
    printStopped(metrics, requested);
    return requested ? ExitCodes.DONE : ExitCodes.FAILED;
  }

  /** Waits for the end; whether it was requested. */
  private boolean await(AggregatorWorker worker, WorkerMetrics metrics, StopSignal signal) {
    long endMs =
        seconds == null ? Long.MAX_VALUE : System.currentTimeMillis() + Math.round(seconds * 1e3);
    while (System.currentTimeMillis() < endMs) {
      if (signal.await(POLL)) {
        return true;
      }
      if (metrics.hasGivenUp() || !worker.isRunning()) {
        return false;
      }
    }
    return true;
  }

  private RegionLoop startRegions(
      ServiceClients clients, RegionMetrics metrics, StreamView view, Duration window) {
    return RegionLoop.start(
        S3Regions.open(
            DynamoStore.of(clients.dynamoClient(), options.table()),
            DEFAULT_NAMESPACE,
            clients.s3Client(),
            Objects.requireNonNull(exchange),
            AllocationPolicy.DEFAULT,
            metrics,
            view),
        window,
        metrics::onWindow,
        failure -> {
          metrics.onWindowFailed();
          printError("worker", "regions: " + failure.getMessage());
        });
  }

  private @Nullable HealthServer health(
      PrometheusMeterRegistry meters,
      WorkerMetrics metrics,
      AggregatorWorker worker,
      @Nullable RegionMetrics regions) {
    if (healthPort < 0) {
      return null;
    }
    try {
      return HealthServer.start(
          new InetSocketAddress(healthHost, healthPort),
          meters,
          metrics,
          worker::isRunning,
          Duration.ofSeconds(maxLag),
          regions);
    } catch (IOException e) {
      throw new WorkerException(
          "Could not listen on %s:%d: %s".formatted(healthHost, healthPort, e.getMessage()), e);
    }
  }

  private WorkerSettings settings(ServiceClients clients) {
    try {
      return new WorkerSettings(
          options.table(),
          new StreamSettings(
              application == null ? options.table() + "-aggregator" : application,
              name == null ? "worker-" + UUID.randomUUID() : name,
              Duration.ofMillis(Math.round(failover * 1e3)),
              Duration.ofMillis(pollMs),
              batch,
              from),
          options.zones(spec().commandLine()),
          deadLetters(clients),
          archive == null ? null : S3Destinations.archive(clients.s3Client(), archive),
          !noGrowth);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }

  private Consumer<List<DeadLetter>> deadLetters(ServiceClients clients) {
    if (deadLetters.startsWith("s3:")) {
      return S3Destinations.deadLetters(clients.s3Client(), S3Location.parse(deadLetters));
    }
    Path file = Path.of(deadLetters).toAbsolutePath();
    if (file.getParent() == null || !Files.isDirectory(file.getParent())) {
      throw wrongUsage("--dead-letters " + file + " is in a directory that does not exist");
    }
    return new FileDeadLetters(file);
  }

  private void check() {
    if (embedded && options.settings().endpoint() != null) {
      throw wrongUsage("either --embedded or --endpoint, not both");
    }
    if (data != null && !embedded) {
      throw wrongUsage("--data only goes with --embedded");
    }
    if (healthPort < NO_PORT || healthPort > MAX_PORT) {
      throw wrongUsage("--health-port " + healthPort + " must be from 0 to " + MAX_PORT);
    }
    if (maxLag < 1) {
      throw wrongUsage("--max-lag " + maxLag + " must be at least 1");
    }
    if (seconds != null && !(seconds > 0)) {
      throw wrongUsage("--seconds " + seconds + " must be above 0");
    }
  }

  private void printStarted(WorkerSettings settings, @Nullable URI endpoint, int port) {
    StreamSettings stream = settings.stream();
    Map<String, @Nullable Object> fields =
        JsonText.object(
            "event", "started",
            "worker", stream.worker(),
            "table", settings.table(),
            "application", stream.application());
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s reads the stream of %s%s"
            .formatted(
                stream.worker(), settings.table(), endpoint == null ? "" : " at " + endpoint));
    if (endpoint != null) {
      fields.put("endpoint", endpoint.toString());
    }
    if (port >= 0) {
      fields.put("healthPort", port);
      lines.add("/health and /metrics are on port " + port);
    }
    output(json).one(fields, () -> lines);
  }

  private void printStopped(WorkerMetrics metrics, boolean requested) {
    Map<String, @Nullable Object> fields =
        JsonText.object("event", requested ? "stopped" : "gaveUp");
    fields.putAll(metrics.fields());
    String line =
        "%s: %,d records, %,d applied, %,d had been before, %,d ignored, %,d to the dead letters"
            .formatted(
                requested ? "stopped" : "gave up",
                metrics.count(Count.RECORDS),
                metrics.count(Count.APPLIED),
                metrics.count(Count.DUPLICATES),
                metrics.count(Count.IGNORED),
                metrics.count(Count.POISON));
    output(json).one(fields, () -> List.of(line));
  }
}
