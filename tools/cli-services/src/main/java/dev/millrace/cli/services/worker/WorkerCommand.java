package dev.millrace.cli.services.worker;

import dev.millrace.aggregator.AuditArchive;
import dev.millrace.aggregator.DeadLetters;
import dev.millrace.aggregator.GrowthSettings;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.embedded.EmbeddedDynamo;
import dev.millrace.embedded.EmbeddedEngineException;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.sync.SyncListener;
import dev.millrace.s3.S3AuditArchive;
import dev.millrace.s3.S3DeadLetters;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import dev.millrace.worker.Endpoints;
import dev.millrace.worker.HealthServer;
import dev.millrace.worker.StopSignal;
import dev.millrace.worker.Worker;
import dev.millrace.worker.WorkerMetrics;
import dev.millrace.worker.WorkerSettings;
import dev.millrace.worker.kcl.StreamException;
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
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.core.exception.SdkException;

/** Runs the aggregator until it is told to stop. */
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
public final class WorkerCommand implements ExtraCommand, Callable<Integer> {
  private static final int EXIT_STOPPED = 0;
  private static final int EXIT_GAVE_UP = 1;
  private static final int EXIT_NOT_STARTED = ExitCodes.UNREACHABLE;
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int MAX_PORT = 65_535;
  private static final String DEFAULT_NAMESPACE = "default";
  private static final int NO_PORT = -1;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Mixin private TableOptions options = new TableOptions();

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

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
  @SuppressWarnings("NullAway.Init") // has a default
  private String deadLetters;

  @Option(
      names = "--archive",
      paramLabel = "s3://BUCKET/PREFIX",
      description = "Where audit events are kept (default: nowhere).")
  private @Nullable String archive;

  @Option(names = "--no-growth", description = "Leave the division of hot buckets to the limiters.")
  private boolean noGrowth;

  @Option(
      names = "--exchange",
      paramLabel = "s3://BUCKET/PREFIX",
      description =
          "Share limits of the default namespace with other regions there (default: not).")
  private @Nullable String exchange;

  @Option(
      names = "--from",
      paramLabel = "PLACE",
      defaultValue = "OLDEST",
      description =
          "Where to begin in a stream that nobody read: OLDEST or LATEST (default: OLDEST).")
  @SuppressWarnings("NullAway.Init") // has a default
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
  @SuppressWarnings("NullAway.Init") // has a default
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
    CommandLine command = spec.commandLine();
    check(command);
    WorkerPrinter printer = new WorkerPrinter(command, json);
    try (StopSignal signal = new StopSignal();
        Engine engine = engine(printer);
        Endpoints endpoints = options.endpoints(engine.endpoint())) {
      if (embedded) {
        TableAdmin.of(endpoints.dynamoClient(), options.table()).createIfMissing();
      }
      return run(command, endpoints, engine.endpoint(), signal, printer);
    } catch (StreamException | WorkerException | EmbeddedEngineException | SdkException e) {
      printer.error(e.getMessage());
      return EXIT_NOT_STARTED;
    }
  }

  private Engine engine(WorkerPrinter printer) {
    return Engine.start(embedded, data, embedded ? null : options.endpoint(), printer::progress);
  }

  private int run(
      CommandLine command,
      Endpoints endpoints,
      @Nullable URI endpoint,
      StopSignal signal,
      WorkerPrinter printer) {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    WorkerMetrics metrics = new WorkerMetrics(meters, System::currentTimeMillis);
    WorkerSettings settings = settings(command, endpoints);
    AllocationPolicy policy = AllocationPolicy.DEFAULT;
    RegionMetrics exchanged =
        exchange == null ? null : new RegionMetrics(meters, SyncListener.NONE);
    StreamView view = exchange == null ? null : new StreamView(metrics::lagMs, policy.windowMs());
    boolean asked;
    try (Worker worker = Worker.start(endpoints, settings, metrics, view);
        RegionLoop regions = regions(command, endpoints, printer, exchanged, view, policy);
        HealthServer health = health(meters, metrics, worker, exchanged)) {
      printer.started(settings, endpoint, health == null ? NO_PORT : health.port());
      if (regions != null) {
        printer.progress("takes part in the exchange at " + exchange);
      }
      asked = await(worker, metrics, signal);
    }
    printer.stopped(metrics, asked);
    return asked ? EXIT_STOPPED : EXIT_GAVE_UP;
  }

  /** Waits for the end; whether it was asked for. */
  private boolean await(Worker worker, WorkerMetrics metrics, StopSignal signal) {
    Double limit = seconds;
    long end =
        limit == null ? Long.MAX_VALUE : System.currentTimeMillis() + Math.round(limit * 1e3);
    while (System.currentTimeMillis() < end) {
      if (signal.await(LOOK)) {
        return true;
      }
      if (metrics.hasGivenUp() || !worker.isRunning()) {
        return false;
      }
    }
    return true;
  }

  private @Nullable RegionLoop regions(
      CommandLine command,
      Endpoints endpoints,
      WorkerPrinter printer,
      @Nullable RegionMetrics metrics,
      @Nullable StreamView view,
      AllocationPolicy policy) {
    if (exchange == null || metrics == null || view == null) {
      return null;
    }
    return RegionLoop.start(
        S3Regions.open(
            DynamoStore.of(endpoints.dynamoClient(), options.table()),
            DEFAULT_NAMESPACE,
            endpoints.s3Client(),
            TableOptions.location(command, exchange),
            policy,
            metrics,
            view),
        Duration.ofMillis(policy.windowMs()),
        metrics::onWindow,
        failure -> {
          metrics.onWindowFailed();
          printer.error("regions: " + failure.getMessage());
        });
  }

  private @Nullable HealthServer health(
      PrometheusMeterRegistry meters,
      WorkerMetrics metrics,
      Worker worker,
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

  private WorkerSettings settings(CommandLine command, Endpoints endpoints) {
    StreamSettings stream;
    try {
      stream =
          new StreamSettings(
              application == null ? options.table() + "-aggregator" : application,
              name == null ? "worker-" + UUID.randomUUID() : name,
              Duration.ofMillis(Math.round(failover * 1e3)),
              Duration.ofMillis(pollMs),
              batch,
              from);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, e.getMessage(), e);
    }
    return new WorkerSettings(
        options.table(),
        stream,
        options.usage(command),
        deadLetters(command, endpoints),
        archive(command, endpoints),
        noGrowth ? null : GrowthSettings.defaults());
  }

  private DeadLetters deadLetters(CommandLine command, Endpoints endpoints) {
    if (deadLetters.startsWith("s3:")) {
      S3Location location = TableOptions.location(command, deadLetters);
      return new S3DeadLetters(endpoints.s3Client(), location);
    }
    Path file = Path.of(deadLetters).toAbsolutePath();
    if (file.getParent() == null || !Files.isDirectory(file.getParent())) {
      throw new ParameterException(
          command, "--dead-letters " + file + " is in a directory that does not exist");
    }
    return new FileDeadLetters(file);
  }

  private @Nullable AuditArchive archive(CommandLine command, Endpoints endpoints) {
    if (archive == null) {
      return null;
    }
    S3Location location = TableOptions.location(command, archive);
    return new S3AuditArchive(endpoints.s3Client(), location);
  }

  private void check(CommandLine command) {
    if (embedded && options.settings().endpoint() != null) {
      throw new ParameterException(command, "either --embedded or --endpoint, not both");
    }
    if (data != null && !embedded) {
      throw new ParameterException(command, "--data only goes with --embedded");
    }
    if (healthPort < NO_PORT || healthPort > MAX_PORT) {
      throw new ParameterException(
          command, "--health-port " + healthPort + " must be from 0 to " + MAX_PORT);
    }
    if (maxLag < 1) {
      throw new ParameterException(command, "--max-lag " + maxLag + " must be at least 1");
    }
    if (seconds != null && !(seconds > 0)) {
      throw new ParameterException(command, "--seconds " + seconds + " must be above 0");
    }
  }

  /** DynamoDB Local when it was asked for, nothing otherwise. */
  private record Engine(@Nullable EmbeddedDynamo dynamo, @Nullable URI endpoint)
      implements AutoCloseable {
    static Engine start(
        boolean embedded,
        @Nullable Path data,
        @Nullable URI endpoint,
        java.util.function.Consumer<String> progress) {
      if (!embedded) {
        return new Engine(null, endpoint);
      }
      EmbeddedDynamo dynamo =
          (data == null ? EmbeddedDynamo.inMemory() : EmbeddedDynamo.onDisk(data))
              .onProgress(progress)
              .start();
      return new Engine(dynamo, dynamo.endpoint());
    }

    @Override
    public void close() {
      if (dynamo != null) {
        dynamo.close();
      }
    }
  }
}
