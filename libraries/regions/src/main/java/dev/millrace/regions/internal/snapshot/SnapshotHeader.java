package dev.millrace.regions.internal.snapshot;

import dev.millrace.regions.EvictionSeal;
import dev.millrace.regions.internal.ledger.RegionNames;
import java.util.List;

/**
 * The header of a snapshot.
 *
 * @param region its writer
 * @param sequence grows with every snapshot of the region, also after a restart
 * @param writtenAtMs by the clock of the region
 * @param windowMs the intended interval between snapshots
 * @param seals evictions that all ledgers of the region have sealed
 * @param count the number of rows that follow
 */
public record SnapshotHeader(
    String region,
    long sequence,
    long writtenAtMs,
    long windowMs,
    List<EvictionSeal> seals,
    int count) {
  public SnapshotHeader {
    RegionNames.require(region);
    seals = List.copyOf(seals);
    if (sequence < 0 || windowMs <= 0) {
      throw new IllegalArgumentException(
          "sequence " + sequence + " and window " + windowMs + " ms must not be negative");
    }
    if (count < 0 || count > SnapshotFormat.MAX_ROWS) {
      throw new IllegalArgumentException(
          "count " + count + " must be from 0 to " + SnapshotFormat.MAX_ROWS);
    }
    if (seals.size() > SnapshotFormat.MAX_SEALS) {
      throw new IllegalArgumentException("seals: more than " + SnapshotFormat.MAX_SEALS);
    }
  }
}
