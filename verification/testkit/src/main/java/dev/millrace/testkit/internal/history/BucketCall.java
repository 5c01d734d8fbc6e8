package dev.millrace.testkit.internal.history;

import java.util.List;

/**
 * A call of a limiter about one bucket. Amounts are in millitokens, one for each limit of the
 * bucket in the order of the specification.
 */
public sealed interface BucketCall {
  /**
   * An acquire, or a further consume of a lease.
   *
   * @param milli what is asked for; 0 for a limit that the request does not name
   */
  record Take(List<Long> milli) implements BucketCall {
    /** Keeps the amounts as they are now. */
    public Take {
      milli = List.copyOf(milli);
    }
  }

  /**
   * A close or cancel of a lease.
   *
   * @param milli what is charged; below zero is given back
   */
  record Settle(List<Long> milli) implements BucketCall {
    /** Keeps the amounts as they are now. */
    public Settle {
      milli = List.copyOf(milli);
    }
  }

  /** What is available. */
  record Look() implements BucketCall {}
}
