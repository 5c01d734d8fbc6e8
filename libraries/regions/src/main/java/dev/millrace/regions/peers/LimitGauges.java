package dev.millrace.regions.peers;

import java.util.Comparator;

/**
 * The state of one limit of one region when a snapshot was written. Unlike rows these are no
 * rights: they only show demand, and a later one replaces an earlier one.
 *
 * @param sequence the number of the snapshot
 * @param writtenAtMs by the clock of its writer, which is compared with no other clock
 * @param consumedMilli all consumption ever
 * @param tokensMilli the balance when it was written
 * @param capacityMilli of the whole limit, undivided
 * @param sharePpm the share of the region
 * @param refused the number of windows in which requests are known to have been refused
 */
public record LimitGauges(
    long sequence,
    long writtenAtMs,
    long consumedMilli,
    long tokensMilli,
    long capacityMilli,
    int sharePpm,
    long refused) {
  /** By sequence; the other fields only make the order total, so that merging has one outcome. */
  static final Comparator<LimitGauges> ORDER =
      Comparator.comparingLong(LimitGauges::sequence)
          .thenComparingLong(LimitGauges::writtenAtMs)
          .thenComparingLong(LimitGauges::consumedMilli)
          .thenComparingLong(LimitGauges::tokensMilli)
          .thenComparingLong(LimitGauges::capacityMilli)
          .thenComparingInt(LimitGauges::sharePpm)
          .thenComparingLong(LimitGauges::refused);
}
