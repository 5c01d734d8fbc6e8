package dev.millrace.cli.services.regions;

import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.regions.allocation.AllocationPolicy;
import dev.millrace.regions.ledger.RowReceipt;
import dev.millrace.regions.snapshot.SnapshotReadResult;
import dev.millrace.regions.sync.ActiveView;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.RegionExchange;
import dev.millrace.regions.sync.SyncException;
import dev.millrace.regions.sync.SyncListener;
import dev.millrace.s3.S3Location;
import dev.millrace.s3.S3Regions;
import dev.millrace.worker.Endpoints;
import dev.millrace.worker.StopSignal;
import dev.millrace.worker.regions.RegionLoop;
import dev.millrace.worker.regions.RegionMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
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

/** Takes part in the exchange for one region. */
@Command(
    name = "sync",
    mixinStandardHelpOptions = true,
    description = {
      "Exchanges rights with the other regions, every window, until it is told to stop.",
      "One is enough for a region; a second one is safe and works in vain."
    })
final class SyncCommand implements Callable<Integer> {
  private static final Duration LOOK = Duration.ofMillis(200);

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Mixin private RegionsOptions options = new RegionsOptions();

  @Mixin private PlaceOption place = new PlaceOption();

  @Option(
      names = "--window",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How often (default: ${DEFAULT-VALUE}).")
  private double window;

  @Option(names = "--once", description = "One window, and then stop.")
  private boolean once;

  @Option(
      names = "--reconcile",
      description = {
        "One window in which this region's ledgers are made to agree with what the others have",
        "published: for the region whose table was restored, which neither gives nor takes until then."
      })
  private boolean reconcile;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Stop after that time (default: when told to).")
  private @Nullable Double seconds;

  @Option(names = "--json", description = "Print every window as a line of JSON.")
  private boolean json;

  private final RegionMetrics metrics = new RegionMetrics(new SimpleMeterRegistry(), new Told());

  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    AllocationPolicy policy = policy(command);
    S3Location location = place.location(command);
    try (StopSignal signal = new StopSignal();
        Endpoints endpoints = options.endpoints()) {
      DynamoStore store = options.store(endpoints);
      RegionExchange exchange =
          S3Regions.open(
              store,
              options.namespaceId(store),
              endpoints.s3Client(),
              location,
              policy,
              metrics,
              ActiveView.NONE);
      if (reconcile) {
        CycleReport report = exchange.reconcile();
        print(report);
        return report.work().failedPairs() == 0
            ? RegionsCommand.EXIT_DONE
            : RegionsCommand.EXIT_REFUSED;
      }
      if (once) {
        print(exchange.cycle());
        return RegionsCommand.EXIT_DONE;
      }
      return loop(exchange, Duration.ofMillis(policy.windowMs()), signal);
    } catch (SyncException | SdkException e) {
      error(e);
      return RegionsCommand.EXIT_UNREACHABLE;
    }
  }

  private int loop(RegionExchange exchange, Duration every, StopSignal signal) {
    Double limit = seconds;
    long end =
        limit == null ? Long.MAX_VALUE : System.currentTimeMillis() + Math.round(limit * 1e3);
    try (RegionLoop loop = RegionLoop.start(exchange, every, this::print, this::error)) {
      while (loop.isRunning() && System.currentTimeMillis() < end && !signal.await(LOOK)) {
        // until it is told to stop
      }
    }
    return RegionsCommand.EXIT_DONE;
  }

  private AllocationPolicy policy(CommandLine command) {
    AllocationPolicy defaults = AllocationPolicy.DEFAULT;
    try {
      return new AllocationPolicy(
          Math.round(window * 1e3),
          defaults.staleAfterMs(),
          defaults.floorPpm(),
          defaults.offPpm(),
          defaults.leastGiftPpm());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--window " + window + ": " + e.getMessage(), e);
    }
  }

  private void print(CycleReport report) {
    metrics.onWindow(report);
    String line =
        json
            ? RegionsJson.of(report, metrics.refusals())
            : "%s: %,d limits, %d snapshots heard, %,d bytes published, %,d ms"
                .formatted(
                    report.region(),
                    report.work().limits(),
                    report.exchanged().heard(),
                    report.exchanged().publishedBytes(),
                    report.durationMs());
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
  }

  private void error(RuntimeException e) {
    metrics.onWindowFailed();
    warn("this window failed: " + e.getMessage());
  }

  private void warn(String message) {
    CommandLine command = spec.commandLine();
    command.getErr().println(command.getColorScheme().errorText("regions: " + message));
    command.getErr().flush();
  }

  /** What an operator should hear of. */
  private final class Told implements SyncListener {
    @Override
    public void onEvicted(String by) {
      warn(
          "this region is evicted%s: it refuses all that it shared"
              .formatted(by.isEmpty() ? "" : " by " + by));
    }

    @Override
    public void onRefusedRow(RowReceipt.Refused refused) {
      warn("refused: " + refused);
    }

    @Override
    public void onRefusedSnapshot(String region, SnapshotReadResult.Refused refused) {
      warn("snapshot of " + region + " refused: " + refused.message());
    }

    @Override
    public void onPairFailed(String entityId, String resource, RuntimeException failure) {
      warn(entityId + " " + resource + ": " + failure.getMessage());
    }

    @Override
    public void onPeerFailed(String region, String message) {
      warn(message);
    }

    @Override
    public void onPublishFailed(String message) {
      warn(message);
    }
  }
}
