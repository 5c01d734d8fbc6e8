package dev.millrace.regions.internal.snapshot;

import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.PeerLimit;
import dev.millrace.regions.internal.ledger.Ppm;
import dev.millrace.regions.internal.ledger.TransferRows;

/**
 * One limit in a snapshot.
 *
 * @param capacityMilli of the whole limit, undivided
 * @param refused the number of windows in which requests are known to have been refused
 */
public record SnapshotRow(
    LimitKey key,
    long consumedMilli,
    long tokensMilli,
    long capacityMilli,
    int sharePpm,
    long refused,
    TransferRows dealings) {
  /** Checks the ranges; a balance may be a debt, and refunds may exceed consumption. */
  public SnapshotRow {
    if (sharePpm < 0 || sharePpm > Ppm.WHOLE) {
      throw new IllegalArgumentException(
          "share " + sharePpm + " must be from 0 to " + Ppm.WHOLE + " ppm");
    }
    if (capacityMilli < 0 || refused < 0) {
      throw new IllegalArgumentException(
          "capacity " + capacityMilli + " and refused " + refused + " must not be negative");
    }
  }

  /** The same in the form that other regions keep. */
  public PeerLimit in(SnapshotHeader header) {
    return PeerLimit.of(
        dealings,
        new PeerLimit.Gauges(
            header.sequence(),
            header.writtenAtMs(),
            consumedMilli,
            tokensMilli,
            capacityMilli,
            sharePpm,
            refused));
  }
}
