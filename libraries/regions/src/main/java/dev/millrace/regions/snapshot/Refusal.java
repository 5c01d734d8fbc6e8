package dev.millrace.regions.snapshot;

/** Why a snapshot is not believed. Whatever the reason, nothing of it is used. */
public enum Refusal {
  /** Written by a later version of this program. */
  NEWER_VERSION,
  /** It is the snapshot of another region than the one that was asked for. */
  WRONG_REGION,
  /** It is not what its writer wrote. */
  WRONG_CHECKSUM,
  /** It ends too early, or has not as many rows as it says. */
  TRUNCATED,
  /** A number that cannot be negative is. */
  NEGATIVE,
  /** It is later than one that was believed, and has less in a row that only grows. */
  SHRUNK,
  /** More bytes, rows or names than are read. */
  TOO_LARGE,
  /** It is not in the format. */
  MALFORMED
}
