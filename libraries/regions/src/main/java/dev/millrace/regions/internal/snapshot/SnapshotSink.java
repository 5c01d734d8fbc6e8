package dev.millrace.regions.internal.snapshot;

import dev.millrace.regions.internal.ledger.PeerView;

/** The receiver of the content of a snapshot. */
public interface SnapshotSink {
  /**
   * Whether a row is impossible, given the state. Called for every row before anything is passed
   * on; one such row refuses the snapshot.
   */
  default boolean isShrunk(SnapshotHeader header, SnapshotRow row) {
    return false;
  }

  /** Begins a valid snapshot; its rows follow. */
  default void header(SnapshotHeader header) {}

  default void row(SnapshotHeader header, SnapshotRow row) {}

  /** A sink that adds a snapshot to the knowledge of the other regions. */
  final class PeerSink implements SnapshotSink {
    private final PeerView peers;
    private final long nowMs;

    /** For one snapshot, at a time by the region's own clock. */
    public PeerSink(PeerView peers, long nowMs) {
      this.peers = peers;
      this.nowMs = nowMs;
    }

    @Override
    public boolean isShrunk(SnapshotHeader header, SnapshotRow row) {
      return peers.isShrunk(header.region(), header.sequence(), row.key(), row.dealings());
    }

    @Override
    public void header(SnapshotHeader header) {
      peers.heard(header.region(), header.sequence(), header.seals(), nowMs);
    }

    @Override
    public void row(SnapshotHeader header, SnapshotRow row) {
      peers.merge(header.region(), row.key(), row.in(header));
    }
  }
}
