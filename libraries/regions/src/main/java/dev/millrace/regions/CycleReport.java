package dev.millrace.regions;

import dev.millrace.regions.internal.ledger.Ppm;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The report of one window.
 *
 * @param region the region
 * @param evicted whether the others have evicted it, and it refuses all that it shared
 * @param durationMs its duration
 */
public record CycleReport(
    String region,
    boolean evicted,
    Work work,
    SnapshotTraffic exchanged,
    RegionRights rights,
    long durationMs) {
  /** All of a limit, in parts per million. */
  public static final int WHOLE_PPM = Ppm.WHOLE;

  /**
   * The work done in the table.
   *
   * @param pairs examined pairs
   * @param limits limits of examined pairs, which are published
   * @param failedPairs pairs that could not be examined
   * @param waitingPairs pairs with an eviction that not all survivors have sealed
   * @param operatorsPairs pairs with limits that an operator has set by hand, which are left alone
   * @param fromView whether the stream reported the pairs to examine, and not the indexes
   */
  public record Work(
      int pairs,
      int limits,
      int failedPairs,
      int waitingPairs,
      int operatorsPairs,
      boolean fromView) {}

  /**
   * The exchanged snapshots.
   *
   * @param heard snapshots of others that were new and valid
   * @param readBytes of the snapshots of others that were new
   * @param publishedBytes of the published snapshot, 0 when it was not published
   * @param agesMs the age of the last snapshot of each other region, by this region's own clock;
   *     {@link Long#MAX_VALUE} when there is none
   */
  public record SnapshotTraffic(
      int heard, long readBytes, long publishedBytes, SortedMap<String, Long> agesMs) {
    /** Nothing. */
    public static final SnapshotTraffic NOTHING = new SnapshotTraffic(0, 0, 0, new TreeMap<>());

    public SnapshotTraffic {
      agesMs = Collections.unmodifiableSortedMap(new TreeMap<>(agesMs));
    }
  }

  /** All fields by name, for machines. */
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

  /**
   * The sums of the rights of all limits, as far as the region knows.
   *
   * @param meanSharesPpm by region that is not evicted: the mean of its shares; the region's own as
   *     stored, those of others as last published
   * @param inFlightPpm shares that this region gave and no other region is known to have, of all
   *     limits
   * @param inFlightMilli tokens of that kind
   * @param strandedPpm the greatest share of a limit with regions that are silent for too long
   * @param overAdmissionPpm the amount by which all regions together can enforce more than the
   *     limit, for the worst one: 0 by construction, see {@link RightsTally}
   * @param overAdmissionMilli the same in millitokens of burst
   */
  public record RegionRights(
      SortedMap<String, Long> meanSharesPpm,
      long inFlightPpm,
      long inFlightMilli,
      long strandedPpm,
      long overAdmissionPpm,
      long overAdmissionMilli) {
    /** Of a region that shares nothing. */
    public static final RegionRights NONE = new RegionRights(new TreeMap<>(), 0, 0, 0, 0, 0);

    public RegionRights {
      meanSharesPpm = Collections.unmodifiableSortedMap(new TreeMap<>(meanSharesPpm));
    }
  }
}
