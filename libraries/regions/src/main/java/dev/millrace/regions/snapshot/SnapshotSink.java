package dev.millrace.regions.snapshot;

/** Takes what a snapshot tells. */
public interface SnapshotSink {
  /**
   * Whether a row cannot be, given what is known. Asked for every row before anything is passed on;
   * one yes refuses all.
   */
  boolean isShrunk(SnapshotHeader header, SnapshotRow row);

  /** A snapshot that is believed; its rows follow. */
  void header(SnapshotHeader header);

  /** One row of it. */
  void row(SnapshotHeader header, SnapshotRow row);
}
