package dev.millrace.simulator.oracle;

/** The promises to users, and the demands of the simulation itself. */
public enum Promise {
  /** P1: admitted ≤ burst + rate × (t + Δ + skew), in every interval. */
  BOUNDED_BURST("P1"),
  /** P2: every claim of time earns exactly its part of the whole. */
  EXACT_REFILL("P2"),
  /** P3: only an adjust takes a balance below zero. */
  NEVER_NEGATIVE("P3"),
  /** P4: what callers were told is what was charged, or less where an outcome is unknown. */
  NOTHING_LOST("P4"),
  /** P5: a write for each acquire at most, whatever the number of limits. */
  CONSTANT_COST("P5"),
  /** P6: splitting and merging shards neither makes nor loses a millitoken. */
  SHARDING_CONSERVES("P6"),
  /** P9: with the store away, the answer is the configured one and comes in time. */
  SAFE_WHEN_BROKEN("P9"),
  /** All buckets of a request are charged, or none. */
  ALL_OR_NONE("all or none"),
  /** Retry-after suffices and, with nobody else, is exact. */
  RETRY_AFTER("retry-after"),
  /** Whoever waits is answered, and served when the tokens are there. */
  NOBODY_WAITS_FOR_EVER("nobody waits for ever"),
  /** Queues, caches and timers stay within their bounds. */
  BOUNDED_MEMORY("bounded memory"),
  /** Changed limits and switches reach every bucket within the age of configuration. */
  CHANGES_ARRIVE("changes arrive"),
  /** Production code threw what it never should. */
  NO_BUGS("no bugs");

  private final String label;

  Promise(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
