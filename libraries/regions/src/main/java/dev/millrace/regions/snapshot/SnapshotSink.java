package dev.millrace.regions.snapshot;

/** The receiver of the content of a snapshot. */
public interface SnapshotSink {
  /**
   * Whether a row is impossible, given the state. Called for every row before anything is passed
   * on; one such row refuses the snapshot.
   */
  boolean isShrunk(SnapshotHeader header, SnapshotRow row);

  /** Begins a valid snapshot; its rows follow. */
  void header(SnapshotHeader header);

  /** One row of it. */
  void row(SnapshotHeader header, SnapshotRow row);
}
