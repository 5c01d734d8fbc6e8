package dev.millrace.regions.sync;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The sums of the rights of all limits, as far as the region knows.
 *
 * @param meanSharesPpm by region that is not evicted: the mean of its shares; the region's own as
 *     stored, those of others as last published
 * @param inFlightPpm shares that this region gave and no other region is known to have, of all
 *     limits
 * @param inFlightMilli tokens of that kind
 * @param strandedPpm the greatest share of a limit with regions that are silent for too long
 * @param overAdmissionPpm the amount by which all regions together can enforce more than the limit,
 *     for the worst one: 0 by construction, see {@link RightsTally}
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

  /** Keeps a copy. */
  public RegionRights {
    meanSharesPpm = Collections.unmodifiableSortedMap(new TreeMap<>(meanSharesPpm));
  }
}
