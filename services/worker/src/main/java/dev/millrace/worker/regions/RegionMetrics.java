package dev.millrace.worker.regions;

import dev.millrace.regions.CycleReport;
import dev.millrace.regions.SyncListener;
import dev.millrace.regions.internal.ledger.RowReceipt;
import dev.millrace.regions.internal.snapshot.SnapshotRefusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the exchange between regions: counts since it was started, and the values of the
 * last window. Labels are names of regions and reasons, of which there are few; never entities.
 */
public class RegionMetrics implements SyncListener {
  private static final String PREFIX = "millrace.regions.";
  private static final List<String> COUNTERS =
      List.of(
          "windows",
          "failed.windows",
          "published.bytes",
          "read.bytes",
          "changed.shares",
          "withdrawn.pairs",
          "contended.pairs",
          "peer.failures",
          "publish.failures");

  private final MeterRegistry meters;
  private final SortedMap<String, Counter> refused = new TreeMap<>();
  private final MultiGauge meanShares;
  private final MultiGauge snapshotAges;
  private volatile @Nullable CycleReport last;

  /** Registers the meters in {@code meters}. */
  public RegionMetrics(MeterRegistry meters) {
    this.meters = meters;
    this.meanShares = MultiGauge.builder(PREFIX + "mean.share.ppm").register(meters);
    this.snapshotAges = MultiGauge.builder(PREFIX + "snapshot.age.ms").register(meters);
    COUNTERS.forEach(name -> add(name, 0));
    Stream.of(RowReceipt.Reason.values(), SnapshotRefusal.values())
        .flatMap(Stream::of)
        .map(RegionMetrics::label)
        .forEach(label -> refused.put(label, meters.counter(PREFIX + "refused", "reason", label)));
  }

  private void add(String counter, double more) {
    meters.counter(PREFIX + counter).increment(more);
  }

  private static String label(Enum<?> reason) {
    return (reason instanceof SnapshotRefusal ? "snapshot_" : "row_")
        + reason.name().toLowerCase(Locale.ROOT);
  }

  /** A window is done. */
  public final void onWindow(CycleReport report) {
    boolean first = last == null;
    last = report;
    add("windows", 1);
    add("published.bytes", (double) report.exchanged().publishedBytes());
    add("read.bytes", (double) report.exchanged().readBytes());
    meanShares.register(rows(report.rights().meanSharesPpm()), true);
    snapshotAges.register(rows(report.exchanged().agesMs()), true);
    if (first) {
      gauges();
    }
  }

  /** A row for each region with a known value. */
  private static List<MultiGauge.Row<?>> rows(Map<String, Long> byRegion) {
    return byRegion.entrySet().stream()
        .filter(region -> region.getValue() != Long.MAX_VALUE)
        .<MultiGauge.Row<?>>map(
            region -> MultiGauge.Row.of(Tags.of("region", region.getKey()), region.getValue()))
        .toList();
  }

  /** Registers the gauges of the last window, once there is one. */
  private void gauges() {
    gauge("cycle.ms", CycleReport::durationMs);
    gauge("evicted", report -> report.evicted() ? 1 : 0);
    gauge("pairs", report -> report.work().pairs());
    gauge("limits", report -> report.work().limits());
    gauge("failed.pairs", report -> report.work().failedPairs());
    gauge("waiting.pairs", report -> report.work().waitingPairs());
    gauge("operators.pairs", report -> report.work().operatorsPairs());
    gauge("from.stream", report -> report.work().fromView() ? 1 : 0);
    gauge("in.flight.ppm", report -> report.rights().inFlightPpm());
    gauge("in.flight.millitokens", report -> report.rights().inFlightMilli());
    gauge("stranded.ppm", report -> report.rights().strandedPpm());
    gauge("over.admission.bound.ppm", report -> report.rights().overAdmissionPpm());
    gauge("over.admission.bound.millitokens", report -> report.rights().overAdmissionMilli());
  }

  private void gauge(String name, ToDoubleFunction<CycleReport> value) {
    Gauge.builder(
            PREFIX + name,
            this,
            metrics -> {
              CycleReport report = metrics.last;
              return report == null ? Double.NaN : value.applyAsDouble(report);
            })
        .register(meters);
  }

  /** A window failed. */
  public final void onWindowFailed() {
    add("failed.windows", 1);
  }

  /** The report of the last window; null before the first. */
  public @Nullable CycleReport last() {
    return last;
  }

  /** The numbers of refused rows and snapshots, by reason. */
  public SortedMap<String, Long> refusals() {
    SortedMap<String, Long> sums = new TreeMap<>();
    refused.forEach((reason, count) -> sums.put(reason, (long) count.count()));
    return sums;
  }

  private void refused(String label) {
    Counter count = refused.get(label.toLowerCase(Locale.ROOT));
    if (count != null) {
      count.increment();
    }
  }

  @Override
  public void onChanged(String entity, String resource, String limit, int before, int after) {
    add("changed.shares", 1);
  }

  @Override
  public void onWithdrawn(String entityId, String resource) {
    add("withdrawn.pairs", 1);
  }

  @Override
  public void onContended(String entityId, String resource) {
    add("contended.pairs", 1);
  }

  @Override
  public void onRefusedRow(String reason, String message) {
    refused("row_" + reason);
  }

  @Override
  public void onRefusedSnapshot(String region, String reason, String message) {
    refused("snapshot_" + reason);
  }

  @Override
  public void onPeerFailed(String region, String message) {
    add("peer.failures", 1);
  }

  @Override
  public void onPublishFailed(String message) {
    add("publish.failures", 1);
  }
}
