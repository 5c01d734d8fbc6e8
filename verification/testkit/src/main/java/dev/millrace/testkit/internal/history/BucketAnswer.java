package dev.millrace.testkit.internal.history;

import java.util.List;

/** The answer of a limiter to a {@link BucketCall}. One that may have taken effect is not known. */
public sealed interface BucketAnswer {
  /** Admitted, or settled. */
  record Done() implements BucketAnswer {}

  /** Not available, and surely nothing was written. */
  record Failed() implements BucketAnswer {}

  /**
   * Refused.
   *
   * @param availableMilli the balance that it was told of each limit
   */
  record Refused(List<Long> availableMilli) implements BucketAnswer {
    /** Keeps the balances as they are now. */
    public Refused {
      availableMilli = List.copyOf(availableMilli);
    }
  }

  /**
   * The available amounts.
   *
   * @param milli the balance of each limit
   */
  record Seen(List<Long> milli) implements BucketAnswer {
    /** Keeps the balances as they are now. */
    public Seen {
      milli = List.copyOf(milli);
    }
  }
}
