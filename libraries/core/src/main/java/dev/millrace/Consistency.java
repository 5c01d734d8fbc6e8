package dev.millrace;

/** The way a request of several buckets is written. */
public enum Consistency {
  /**
   * Each bucket by itself, at the same time; what landed is given back when another one refuses.
   * One write unit for each, shared with the requests of others. A crash between the two leaves
   * that one request's charge behind.
   */
  PARALLEL,
  /**
   * All in one transaction: nobody ever sees a part of it, and a crash leaves nothing behind. Two
   * write units for each bucket, not shared with others.
   */
  TRANSACTIONAL
}
