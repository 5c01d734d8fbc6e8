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
   * adjusted. Closing again does nothing.
   *
   * <p>What could not be written the limiter takes over: it tries again in the background until it
   * is written, whatever the policy. That is no failure; {@link #isPostponed} tells. Else the
   * settlement is durable when this returns, unless it is deferred.
   *
   * <p>{@code close()} does not know whether the body of a try statement threw, so it never gives
   * back the charge: use {@link #cancel()} or {@link RateLimiter#call} for that.
   *
   * @throws dev.millrace.core.error.LimiterUnavailableException if the policy is BLOCK and the
   *     limiter could not take it over, because it is closed or too many wait: closing again tries
   *     again; or if nobody knows whether tokens were given back: they are not given back again
   */
  @Override
  void close();

  /**
   * Ends the lease and gives everything back. Does nothing when the lease has ended. What could not
   * be written is taken over by the limiter, as by {@link #close()}.
   */
  void cancel();
}
