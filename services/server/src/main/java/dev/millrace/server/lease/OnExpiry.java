package dev.millrace.server.lease;

/** What becomes of a lease that nobody ends. */
public enum OnExpiry {
  /** The charge stands; adjustments that were recorded are written. */
  KEEP,
  /** Everything is given back. */
  REFUND
}
