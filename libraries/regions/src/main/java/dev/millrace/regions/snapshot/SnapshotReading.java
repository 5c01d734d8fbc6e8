package dev.millrace.regions.snapshot;

/** The result of reading a snapshot. */
public sealed interface SnapshotReading {
  /** It is valid, and all of it was passed on. */
  record Accepted(SnapshotHeader header, long rawBytes) implements SnapshotReading {}

  /** It is invalid, and nothing of it was passed on. */
  record Refused(Refusal refusal, String message) implements SnapshotReading {}
}
