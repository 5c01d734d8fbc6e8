package dev.millrace.regions.internal.snapshot;

/** The reason why a snapshot is invalid. In every case nothing of it is used. */
public enum SnapshotRefusal {
  /** Written by a later version of this program. */
  NEWER_VERSION,
  /** It is the snapshot of another region than the requested one. */
  WRONG_REGION,
  /** Its checksum is wrong. */
  WRONG_CHECKSUM,
  /** It ends too early, or does not have the stated number of rows. */
  TRUNCATED,
  /** A number is negative that cannot be. */
  NEGATIVE,
  /** It is later than an accepted one, and has less in a row that only grows. */
  SHRUNK,
  /** It has more bytes, rows or names than are read. */
  TOO_LARGE,
  /** It violates the format. */
  MALFORMED
}
