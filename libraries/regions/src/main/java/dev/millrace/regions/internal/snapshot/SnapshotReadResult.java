package dev.millrace.regions.internal.snapshot;

/** The result of reading a snapshot. */
public sealed interface SnapshotReadResult {
  /** It is valid, and all of it was passed on. */
  record Accepted(SnapshotHeader header, long rawBytes) implements SnapshotReadResult {}

  /** It is invalid, and nothing of it was passed on. */
  record Refused(SnapshotRefusal refusal, String message) implements SnapshotReadResult {}
}
