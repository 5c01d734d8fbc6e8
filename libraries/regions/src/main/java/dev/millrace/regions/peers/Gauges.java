package dev.millrace.regions.peers;

import java.util.Comparator;

/**
 * How one limit of one region stood when a snapshot was written. Unlike rows these are no rights:
 * they only tell who needs what, and a later one takes the place of an earlier one.
 *
 * @param sequence the number of the snapshot
 * @param writtenAtMs by the clock of its writer, which is compared with nobody else's
 * @param consumedMilli everything ever consumed there
 * @param tokensMilli the balance, up to when it was written
 * @param capacityMilli of the whole limit, undivided
 * @param sharePpm what the region held
 * @param refused in how many windows somebody is known to have asked there in vain
 */
public record Gauges(
    long sequence,
    long writtenAtMs,
    long consumedMilli,
    long tokensMilli,
    long capacityMilli,
    int sharePpm,
    long refused) {
  /** By sequence; the rest only makes the order total, so that merging has one outcome. */
  static final Comparator<Gauges> ORDER =
      Comparator.comparingLong(Gauges::sequence)
          .thenComparingLong(Gauges::writtenAtMs)
          .thenComparingLong(Gauges::consumedMilli)
          .thenComparingLong(Gauges::tokensMilli)
          .thenComparingLong(Gauges::capacityMilli)
          .thenComparingInt(Gauges::sharePpm)
          .thenComparingLong(Gauges::refused);
}
