package dev.millrace.cli.services.regions;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.services.S3LocationConverter;
import dev.millrace.cli.services.ServiceClients;
import dev.millrace.cli.text.JsonText;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.CycleReport;
import dev.millrace.regions.RegionExchange;
import dev.millrace.regions.SyncException;
import dev.millrace.s3.S3Location;
import dev.millrace.worker.StopSignal;
import dev.millrace.worker.regions.RegionLoop;
import dev.millrace.worker.regions.RegionMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** Takes part in the exchange for one region. */
@Command(
    name = "sync",
    description = {
      "Exchanges rights with the other regions, every window, until it is told to stop.",
      "One is enough for a region; a second one is safe and works in vain."
    })
final class SyncCommand extends CliCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(200);

  @Mixin private final RegionsOptions options = new RegionsOptions();

  @Option(
      names = "--exchange",
      paramLabel = "s3://BUCKET/PREFIX",
      required = true,
      converter = S3LocationConverter.class,
      description = "Where snapshots are exchanged; the same for all regions.")
  private S3Location location;

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

  private final RegionMetrics metrics = new PrintingMetrics();

  @Override
  public Integer call() {
    AllocationPolicy policy = policy();
    try (StopSignal signal = StopSignal.atShutdown();
        ServiceClients clients = options.clients()) {
      RegionExchange exchange = options.exchange(clients, location, policy, metrics);
      if (reconcile) {
        CycleReport report = exchange.reconcile();
        print(report);
        return report.work().failedPairs() == 0 ? ExitCodes.DONE : ExitCodes.USAGE;
      }
      if (once) {
        print(exchange.cycle());
        return ExitCodes.DONE;
      }
      Duration every = Duration.ofMillis(policy.windowMs());
      long endMs =
          seconds == null ? Long.MAX_VALUE : System.currentTimeMillis() + Math.round(seconds * 1e3);
      try (RegionLoop loop = RegionLoop.start(exchange, every, this::print, this::printFailure)) {
        while (loop.isRunning() && System.currentTimeMillis() < endMs && !signal.await(POLL)) {
          // until it is told to stop
        }
      }
      return ExitCodes.DONE;
    } catch (SyncException | SdkException e) {
      printFailure(e);
      return ExitCodes.UNREACHABLE;
    }
  }

  private AllocationPolicy policy() {
    AllocationPolicy defaults = AllocationPolicy.DEFAULT;
    try {
      return new AllocationPolicy(
          Math.round(window * 1e3),
          defaults.staleAfterMs(),
          defaults.floorPpm(),
          defaults.offPpm(),
          defaults.leastGiftPpm());
    } catch (IllegalArgumentException e) {
      throw wrongUsage("--window " + window + ": " + e.getMessage());
    }
  }

  private void print(CycleReport report) {
    metrics.onWindow(report);
    Map<String, @Nullable Object> fields = JsonText.object("event", "window");
    fields.putAll(report.fields());
    fields.put("refused", metrics.refusals());
    String line =
        "%s: %,d limits, %d snapshots heard, %,d bytes published, %,d ms"
            .formatted(
                report.region(),
                report.work().limits(),
                report.exchanged().heard(),
                report.exchanged().publishedBytes(),
                report.durationMs());
    output(json).one(fields, () -> List.of(line));
  }

  private void printFailure(RuntimeException e) {
    metrics.onWindowFailed();
    warn("this window failed: " + e.getMessage());
  }

  private void warn(String message) {
    printError("regions", message);
  }

  /** The meters of the exchange, which also print the events that an operator should know. */
  private final class PrintingMetrics extends RegionMetrics {
    PrintingMetrics() {
      super(new SimpleMeterRegistry());
    }

    @Override
    public void onEvicted(String by) {
      warn(
          "this region is evicted%s: it refuses all that it shared"
              .formatted(by.isEmpty() ? "" : " by " + by));
    }

    @Override
    public void onRefusedRow(String reason, String message) {
      super.onRefusedRow(reason, message);
      warn("refused: " + reason + ": " + message);
    }

    @Override
    public void onRefusedSnapshot(String region, String reason, String message) {
      super.onRefusedSnapshot(region, reason, message);
      warn("snapshot of " + region + " refused: " + message);
    }

    @Override
    public void onPairFailed(String entityId, String resource, RuntimeException failure) {
      warn(entityId + " " + resource + ": " + failure.getMessage());
    }

    @Override
    public void onPeerFailed(String region, String message) {
      super.onPeerFailed(region, message);
      warn(message);
    }

    @Override
    public void onPublishFailed(String message) {
      super.onPublishFailed(message);
      warn(message);
    }
  }
}
