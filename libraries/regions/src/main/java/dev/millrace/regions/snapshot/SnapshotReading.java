package dev.millrace.regions.snapshot;

/** What became of a snapshot. */
public sealed interface SnapshotReading {
  /** It is what its writer wrote, and all of it was passed on. */
  record Accepted(SnapshotHeader header, long rawBytes) implements SnapshotReading {}

  /** It is not believed, and nothing of it was passed on. */
  record Refused(Refusal refusal, String message) implements SnapshotReading {}
}
