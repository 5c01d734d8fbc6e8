package dev.millrace.regions.snapshot;

import dev.millrace.regions.peers.PeerView;

/** A sink that adds a snapshot to the knowledge of the other regions. */
public final class PeerSink implements SnapshotSink {
  private final PeerView peers;
  private final long nowMs;

  /**
   * A sink for one snapshot.
   *
   * @param nowMs by the region's own clock
   */
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
