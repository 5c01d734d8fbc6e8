package dev.millrace.worker.regions;

import dev.millrace.regions.ledger.RowReceipt;
import dev.millrace.regions.snapshot.SnapshotReadResult;
import dev.millrace.regions.snapshot.SnapshotRefusal;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.SyncListener;
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
 * The meters of the exchange between regions: what it did since it was started, and how the last
 * window came out. Labels are names of regions and reasons, of which there are few; entities are
 * never labels.
 */
public final class RegionMetrics implements SyncListener {
  private static final String PREFIX = "millrace.regions.";

  private final SyncListener next;
  private final MeterRegistry meters;
  private final Counter windows;
  private final Counter failedWindows;
  private final Counter publishedBytes;
  private final Counter readBytes;
  private final Counter changedShares;
  private final Counter withdrawnPairs;
  private final Counter contendedPairs;
  private final Counter peerFailures;
  private final Counter publishFailures;
  private final SortedMap<String, Counter> refused = new TreeMap<>();
  private final MultiGauge meanShares;
  private final MultiGauge snapshotAges;
  private volatile @Nullable CycleReport last;

  /** Registers the meters in {@code meters}, and passes every event on to {@code next}. */
  public RegionMetrics(MeterRegistry meters, SyncListener next) {
    this.meters = meters;
    this.next = next;
    this.windows = meters.counter(PREFIX + "windows");
    this.failedWindows = meters.counter(PREFIX + "failed.windows");
    this.publishedBytes = meters.counter(PREFIX + "published.bytes");
    this.readBytes = meters.counter(PREFIX + "read.bytes");
    this.changedShares = meters.counter(PREFIX + "changed.shares");
    this.withdrawnPairs = meters.counter(PREFIX + "withdrawn.pairs");
    this.contendedPairs = meters.counter(PREFIX + "contended.pairs");
    this.peerFailures = meters.counter(PREFIX + "peer.failures");
    this.publishFailures = meters.counter(PREFIX + "publish.failures");
    this.meanShares = MultiGauge.builder(PREFIX + "mean.share.ppm").register(meters);
    this.snapshotAges = MultiGauge.builder(PREFIX + "snapshot.age.ms").register(meters);
    Stream.of(RowReceipt.Reason.values(), SnapshotRefusal.values())
        .flatMap(Stream::of)
        .map(RegionMetrics::label)
        .forEach(label -> refused.put(label, meters.counter(PREFIX + "refused", "reason", label)));
  }

  private static String label(Enum<?> reason) {
    return (reason instanceof SnapshotRefusal ? "snapshot_" : "row_")
        + reason.name().toLowerCase(Locale.ROOT);
  }

  /** A window is done. */
  public void onWindow(CycleReport report) {
    boolean first = last == null;
    last = report;
    windows.increment();
    publishedBytes.increment((double) report.exchanged().publishedBytes());
    readBytes.increment((double) report.exchanged().readBytes());
    meanShares.register(rows(report.rights().meanSharesPpm()), true);
    snapshotAges.register(rows(report.exchanged().agesMs()), true);
    if (first) {
      gauges();
    }
  }

  /** One for each region that was ever heard of. */
  private static List<MultiGauge.Row<?>> rows(Map<String, Long> byRegion) {
    return byRegion.entrySet().stream()
        .filter(region -> region.getValue() != Long.MAX_VALUE)
        .<MultiGauge.Row<?>>map(
            region -> MultiGauge.Row.of(Tags.of("region", region.getKey()), region.getValue()))
        .toList();
  }

  /** Of the last window, once there is one. */
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
  public void onWindowFailed() {
    failedWindows.increment();
  }

  /** How the last window came out; null before the first. */
  public @Nullable CycleReport last() {
    return last;
  }

  /** What was refused, by reason; rows and snapshots. */
  public SortedMap<String, Long> refusals() {
    SortedMap<String, Long> sums = new TreeMap<>();
    refused.forEach((reason, count) -> sums.put(reason, (long) count.count()));
    return sums;
  }

  private void refused(Enum<?> reason) {
    Counter count = refused.get(label(reason));
    if (count != null) {
      count.increment();
    }
  }

  @Override
  public void onChanged(String entity, String resource, String limit, int before, int after) {
    changedShares.increment();
    next.onChanged(entity, resource, limit, before, after);
  }

  @Override
  public void onEvicted(String by) {
    next.onEvicted(by);
  }

  @Override
  public void onWithdrawn(String entityId, String resource) {
    withdrawnPairs.increment();
    next.onWithdrawn(entityId, resource);
  }

  @Override
  public void onOperators(String entityId, String resource) {
    next.onOperators(entityId, resource);
  }

  @Override
  public void onContended(String entityId, String resource) {
    contendedPairs.increment();
    next.onContended(entityId, resource);
  }

  @Override
  public void onRefusedRow(RowReceipt.Refused row) {
    refused(row.reason());
    next.onRefusedRow(row);
  }

  @Override
  public void onRefusedSnapshot(String region, SnapshotReadResult.Refused snapshot) {
    refused(snapshot.refusal());
    next.onRefusedSnapshot(region, snapshot);
  }

  @Override
  public void onPairFailed(String entityId, String resource, RuntimeException failure) {
    next.onPairFailed(entityId, resource, failure);
  }

  @Override
  public void onPeerFailed(String region, String message) {
    peerFailures.increment();
    next.onPeerFailed(region, message);
  }

  @Override
  public void onPublishFailed(String message) {
    publishFailures.increment();
    next.onPublishFailed(message);
  }
}
