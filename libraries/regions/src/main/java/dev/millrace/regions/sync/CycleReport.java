package dev.millrace.regions.sync;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one window came to.
 *
 * @param region whose
 * @param evicted whether the others have evicted it, and it refuses all that it shared
 * @param durationMs how long it took
 */
public record CycleReport(
    String region,
    boolean evicted,
    Work work,
    Exchanged exchanged,
    Rights rights,
    long durationMs) {
  /**
   * What was done in the table.
   *
   * @param pairs that were looked at
   * @param limits of pairs that were looked at, and are published
   * @param failedPairs that could not be looked at
   * @param waitingPairs with an eviction that not all of those who are left have sealed
   * @param operatorsPairs with limits that an operator has set by hand, and that are left alone
   * @param fromView whether the stream told which pairs to look at, and not the indexes
   */
  public record Work(
      int pairs,
      int limits,
      int failedPairs,
      int waitingPairs,
      int operatorsPairs,
      boolean fromView) {}

  /**
   * What went to and fro.
   *
   * @param heard snapshots of others that were new and believed
   * @param readBytes of the snapshots of others that were new
   * @param publishedBytes of the snapshot that was published, 0 when it was not
   * @param agesMs how old the last snapshot of each other region is, by this region's own clock;
   *     {@link Long#MAX_VALUE} when there is none
   */
  public record Exchanged(
      int heard, long readBytes, long publishedBytes, SortedMap<String, Long> agesMs) {
    /** Nothing. */
    public static final Exchanged NOTHING = new Exchanged(0, 0, 0, new TreeMap<>());

    /** Keeps a copy of the ages. */
    public Exchanged {
      agesMs = Collections.unmodifiableSortedMap(new TreeMap<>(agesMs));
    }
  }

  /** All of it by name, as machines are told. */
  public Map<String, @Nullable Object> fields() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("region", region);
    fields.put("evicted", evicted);
    fields.put("pairs", work.pairs());
    fields.put("limits", work.limits());
    fields.put("failedPairs", work.failedPairs());
    fields.put("waitingPairs", work.waitingPairs());
    fields.put("operatorsPairs", work.operatorsPairs());
    fields.put("fromStream", work.fromView());
    fields.put("heard", exchanged.heard());
    fields.put("readBytes", exchanged.readBytes());
    fields.put("publishedBytes", exchanged.publishedBytes());
    Map<String, @Nullable Object> ages = new LinkedHashMap<>();
    exchanged.agesMs().forEach((name, ms) -> ages.put(name, ms == Long.MAX_VALUE ? null : ms));
    fields.put("agesMs", ages);
    fields.put("meanSharesPpm", rights.meanSharesPpm());
    fields.put("inFlightPpm", rights.inFlightPpm());
    fields.put("inFlightMilli", rights.inFlightMilli());
    fields.put("strandedPpm", rights.strandedPpm());
    fields.put("overAdmissionBoundPpm", rights.overAdmissionPpm());
    fields.put("overAdmissionBoundMilli", rights.overAdmissionMilli());
    fields.put("ms", durationMs);
    return fields;
  }
}
