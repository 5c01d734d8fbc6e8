package dev.millrace.worker.regions;

import dev.millrace.regions.ledger.Receipt;
import dev.millrace.regions.snapshot.Refusal;
import dev.millrace.regions.snapshot.SnapshotReading;
import dev.millrace.regions.sync.CycleReport;
import dev.millrace.regions.sync.SyncListener;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the exchange between regions did since it was started, and keeps how the last window
 * came out. Labels are names of regions and reasons, of which there are few; entities are never
 * labels.
 */
public final class RegionMetrics implements SyncListener {
  private static final String PREFIX = "millrace_regions_";

  private final SyncListener next;
  private final LongAdder windows = new LongAdder();
  private final LongAdder failedWindows = new LongAdder();
  private final LongAdder publishedBytes = new LongAdder();
  private final LongAdder readBytes = new LongAdder();
  private final LongAdder changedShares = new LongAdder();
  private final LongAdder withdrawnPairs = new LongAdder();
  private final LongAdder contendedPairs = new LongAdder();
  private final LongAdder peerFailures = new LongAdder();
  private final LongAdder publishFailures = new LongAdder();
  private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
  private volatile @Nullable CycleReport last;

  /** Counts, and tells {@code next} as well. */
  public RegionMetrics(SyncListener next) {
    this.next = next;
    for (Receipt.Reason reason : Receipt.Reason.values()) {
      refused.put(label(reason), new LongAdder());
    }
    for (Refusal reason : Refusal.values()) {
      refused.put(label(reason), new LongAdder());
    }
  }

  private static String label(Enum<?> reason) {
    return (reason instanceof Refusal ? "snapshot_" : "row_")
        + reason.name().toLowerCase(Locale.ROOT);
  }

  /** A window is done. */
  public void onWindow(CycleReport report) {
    windows.increment();
    publishedBytes.add(report.exchanged().publishedBytes());
    readBytes.add(report.exchanged().readBytes());
    last = report;
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
    refused.forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }

  /** As Prometheus reads it. */
  public String prometheus() {
    Text text = new Text();
    text.counter("windows", windows.sum());
    text.counter("failed_windows", failedWindows.sum());
    text.counter("published_bytes", publishedBytes.sum());
    text.counter("read_bytes", readBytes.sum());
    text.counter("changed_shares", changedShares.sum());
    text.counter("withdrawn_pairs", withdrawnPairs.sum());
    text.counter("contended_pairs", contendedPairs.sum());
    text.counter("peer_failures", peerFailures.sum());
    text.counter("publish_failures", publishFailures.sum());
    text.labelled("refused_total", "counter", "reason", refusals());
    CycleReport report = last;
    if (report != null) {
      gauges(text, report);
    }
    return text.toString();
  }

  private static void gauges(Text text, CycleReport report) {
    text.gauge("cycle_ms", report.durationMs());
    text.gauge("evicted", report.evicted() ? 1 : 0);
    text.gauge("pairs", report.work().pairs());
    text.gauge("limits", report.work().limits());
    text.gauge("failed_pairs", report.work().failedPairs());
    text.gauge("waiting_pairs", report.work().waitingPairs());
    text.gauge("operators_pairs", report.work().operatorsPairs());
    text.gauge("from_stream", report.work().fromView() ? 1 : 0);
    text.labelled("mean_share_ppm", "gauge", "region", report.rights().meanSharesPpm());
    SortedMap<String, Long> ages = new TreeMap<>(report.exchanged().agesMs());
    ages.values().removeIf(ageMs -> ageMs == Long.MAX_VALUE); // never heard of
    text.labelled("snapshot_age_ms", "gauge", "region", ages);
    text.gauge("in_flight_ppm", report.rights().inFlightPpm());
    text.gauge("in_flight_millitokens", report.rights().inFlightMilli());
    text.gauge("stranded_ppm", report.rights().strandedPpm());
    text.gauge("over_admission_bound_ppm", report.rights().overAdmissionPpm());
    text.gauge("over_admission_bound_millitokens", report.rights().overAdmissionMilli());
  }

  /** Lines as Prometheus reads them. */
  private static final class Text {
    private final StringBuilder lines = new StringBuilder();

    void counter(String name, long value) {
      line(name + "_total", "counter", value);
    }

    void gauge(String name, long value) {
      line(name, "gauge", value);
    }

    private void line(String name, String type, long value) {
      type(name, type);
      lines.append(PREFIX).append(name).append(' ').append(value).append('\n');
    }

    private void type(String name, String type) {
      lines.append("# TYPE ").append(PREFIX).append(name).append(' ').append(type).append('\n');
    }

    void labelled(String name, String type, String label, SortedMap<String, Long> values) {
      type(name, type);
      values.forEach(
          (of, value) ->
              lines.append(PREFIX + "%s{%s=\"%s\"} %d\n".formatted(name, label, of, value)));
    }

    @Override
    public String toString() {
      return lines.toString();
    }
  }

  private void refused(Enum<?> reason) {
    LongAdder count = refused.get(label(reason));
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
  public void onRefusedRow(Receipt.Refused row) {
    refused(row.reason());
    next.onRefusedRow(row);
  }

  @Override
  public void onRefusedSnapshot(String region, SnapshotReading.Refused snapshot) {
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
