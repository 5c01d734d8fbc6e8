package dev.millrace.client;

import java.util.Map;

/**
 * What was admitted, until it is known what it cost. {@link #close()} ends it well, {@link
 * #cancel()} takes it back; {@link RateLimiter#call} does the right one by itself. Safe for use by
 * several threads.
 */
public interface Lease extends LeaseView, AutoCloseable {
  /**
   * Consumes {@code amount} more tokens of {@code limit}, checked and charged now.
   *
   * @throws dev.millrace.core.error.RateLimitExceededException if it does not fit
   */
  default void consume(String limit, long amount) {
    consume(Map.of(limit, amount));
  }

  /** Consumes more of several limits, all or none. */
  void consume(Map<String, Long> tokens);

  /**
   * Ends the lease and settles the differences, in at most one write; in none when nothing was
   * adjusted. The charge is durable when this returns. Closing again does nothing.
   *
   * <p>{@code close()} does not know whether the body of a try statement threw, so it never gives
   * back the charge: use {@link #cancel()} or {@link RateLimiter#call} for that.
   *
   * @throws dev.millrace.core.error.LimiterUnavailableException if it could not be written and the
   *     policy is BLOCK; when surely nothing was written, closing again tries again
   */
  @Override
  void close();

  /** Ends the lease and gives everything back. Does nothing when the lease has ended. */
  void cancel();
}
