package dev.millrace;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What was admitted, until it is known what it cost. {@link #close()} ends it well, {@link
 * #cancel()} takes it back; {@link RateLimiter#call} does the right one by itself. Safe for use by
 * several threads.
 *
 * <p>A method with {@code Async} in its name does not wait: what the other throws fails the stage,
 * except misuse, which is thrown at once. Which limiters have them {@link RateLimiter} says; how
 * the lease was acquired does not matter.
 */
public interface Lease extends AutoCloseable {
  /** Who holds it. */
  String entityId();

  /** What it is for; the first, when it is for several resources. */
  String resource();

  /** What has become of it. */
  LeaseState state();

  /**
   * Whether it was granted without a charge, or without a part of it, because the store could not
   * be reached. What was not charged is not written later either.
   */
  boolean isDegraded();

  /**
   * Whether its end, or a part of it, was not written yet when it ended: it was deferred, or the
   * store did not take it. The limiter writes it later, and tells its listeners if it cannot.
   */
  boolean isPostponed();

  /** The soft limits that were short when it was granted, as they stood then. */
  List<LimitStatus> overdrawn();

  /** Whole tokens of {@code limit} that it stands for, adjustments included. */
  default long consumed(String limit) {
    return consumed(resource(), limit);
  }

  /** The same for one of several resources. */
  long consumed(String resource, String limit);

  /**
   * Corrects what was consumed of {@code limit} by {@code delta} tokens, up or down, for the entity
   * and for every ancestor that it draws on and that has the limit, whether the request named the
   * limit or not. Never refused: the balance may go below zero, and credit pays the debt first.
   * Written when the lease ends.
   *
   * @throws IllegalArgumentException if the lease would stand for less than nothing, or if neither
   *     the entity nor an ancestor has the limit
   */
  default void adjust(String limit, long delta) {
    adjust(resource(), limit, delta);
  }

  /**
   * The same for one of several resources. A resource beside the first need not have the limit:
   * without it any adjustment, up or down, does nothing.
   */
  void adjust(String resource, String limit, long delta);

  /** Gives back {@code amount} tokens of {@code limit}, at most what the lease stands for. */
  default void release(String limit, long amount) {
    release(resource(), limit, amount);
  }

  /** The same for one of several resources. */
  void release(String resource, String limit, long amount);

  /**
   * Opens a lease again that has ended, so that a cost can be adjusted and settled that became
   * known only afterwards. What was written stays written: one that was taken back stands for
   * nothing until it is adjusted. Does nothing for an open lease.
   *
   * @throws IllegalStateException if its end is being written, or could not be
   */
  void reopen();

  /**
   * Consumes {@code amount} more tokens of {@code limit}, checked and charged now.
   *
   * @throws dev.millrace.RateLimitExceededException if it does not fit
   */
  default void consume(String limit, long amount) {
    consume(Map.of(limit, amount));
  }

  /** Consumes more of several limits, all or none. */
  void consume(Map<String, Long> tokens);

  /** {@link #consume(String, long)} without waiting. */
  default CompletionStage<Void> consumeAsync(String limit, long amount) {
    return consumeAsync(Map.of(limit, amount));
  }

  /** {@link #consume(Map)} without waiting. */
  CompletionStage<Void> consumeAsync(Map<String, Long> tokens);

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
   * @throws dev.millrace.LimiterUnavailableException if the policy is BLOCK and the limiter could
   *     not take it over, because it is closed or too many wait: closing again tries again; or if
   *     nobody knows whether tokens were given back: they are not given back again
   */
  @Override
  void close();

  /** {@link #close()} without waiting. */
  CompletionStage<Void> closeAsync();

  /**
   * Ends the lease and gives everything back. Does nothing when the lease has ended. What could not
   * be written is taken over by the limiter, as by {@link #close()}.
   */
  void cancel();

  /** {@link #cancel()} without waiting. */
  CompletionStage<Void> cancelAsync();
}
