package dev.millrace;

/** The time at which the adjustments of a lease are written. */
public enum Settlement {
  /** Before {@code close()} returns: then they are durable. */
  IMMEDIATE,
  /**
   * Soon after, with the next write of the bucket, within a bounded delay, and before the limiter
   * closes. A crash before that loses them.
   */
  DEFERRED
}
