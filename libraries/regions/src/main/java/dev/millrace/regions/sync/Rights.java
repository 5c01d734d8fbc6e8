package dev.millrace.regions.sync;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the rights of all limits stand, as far as the region knows.
 *
 * @param meanSharesPpm by region, of those that are not evicted: the mean of its shares; the
 *     region's own as it is stored, those of others as they last told
 * @param inFlightPpm shares that this region gave and nobody is known to have, of all limits
 * @param inFlightMilli tokens of that sort
 * @param strandedPpm the greatest share of a limit with regions that are silent for too long
 * @param overAdmissionPpm by how much all regions together can enforce more than the limit that is
 *     worst: 0 by construction, see {@link RightsTally}
 * @param overAdmissionMilli the same in millitokens of burst
 */
public record Rights(
    SortedMap<String, Long> meanSharesPpm,
    long inFlightPpm,
    long inFlightMilli,
    long strandedPpm,
    long overAdmissionPpm,
    long overAdmissionMilli) {
  /** Of a region that shares nothing. */
  public static final Rights NONE = new Rights(new TreeMap<>(), 0, 0, 0, 0, 0);

  /** Keeps a copy. */
  public Rights {
    meanSharesPpm = Collections.unmodifiableSortedMap(new TreeMap<>(meanSharesPpm));
  }
}
