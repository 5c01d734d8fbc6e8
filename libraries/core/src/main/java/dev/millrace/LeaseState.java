package dev.millrace;

/** What has become of a lease. */
public enum LeaseState {
  /** In use. */
  OPEN,
  /** Ended well: what was consumed is charged. */
  SETTLED,
  /** Taken back: everything was given back. */
  CANCELLED
}
