package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The time that one call has left, and its pauses before it asks again for what DynamoDB left out:
 * twice as long each time, at random below that, so that callers that were throttled together do
 * not come back together.
 */
public final class RetryBudget {
  /** Most requests of one kind in one call: one, and seven more for what was left out. */
  public static final int MAX_ROUNDS = 8;

  /** Longest pause before the second request. */
  static final long FIRST_PAUSE_MS = 20;

  static final long MAX_PAUSE_MS = 1_000;

  /** Instead of a pause: there is no time or no round left. */
  static final long NONE = -1;

  private static final long NANOS_PER_MS = 1_000_000;
  private final long timeoutMs;
  private final LongSupplier nanos;
  private final LongUnaryOperator below;
  private final long startNanos;

  public RetryBudget(long timeoutMs) {
    this(timeoutMs, System::nanoTime, bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  /**
   * With a clock and chance of one's own.
   *
   * @param below a random number from 0 to below its argument
   */
  RetryBudget(long timeoutMs, LongSupplier nanos, LongUnaryOperator below) {
    if (timeoutMs < 1) {
      throw new IllegalArgumentException("timeoutMs " + timeoutMs + " must be positive");
    }
    this.timeoutMs = timeoutMs;
    this.nanos = nanos;
    this.below = below;
    this.startNanos = nanos.getAsLong();
  }

  /** Milliseconds that are left, of which a request that goes out now has at least one. */
  long remainingMs() {
    return Math.max(1, timeoutMs - elapsedMs());
  }

  /**
   * How long to pause after {@code rounds} requests, or {@link #NONE} to give up: when the pause
   * would not leave time for an answer there is no use in it.
   */
  long pauseMs(int rounds) {
    if (rounds >= MAX_ROUNDS) {
      return NONE;
    }
    long longestMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS << (rounds - 1));
    long pauseMs = 1 + below.applyAsLong(longestMs);
    return elapsedMs() + pauseMs < timeoutMs ? pauseMs : NONE;
  }

  /**
   * Pauses after {@code rounds} requests and goes on with {@code next}; ends the call as throttled
   * when there is no time or no round left.
   *
   * @param unfinished the reply when the call ends without its result
   */
  RequestStep pause(
      int rounds, Supplier<RequestStep> next, Function<StoreFailure, StoreReply> unfinished) {
    long pauseMs = pauseMs(rounds);
    return pauseMs == NONE
        ? RequestStep.done(unfinished.apply(new StoreFailure(StoreFailure.Kind.THROTTLED, null)))
        : new RequestStep.Pause(pauseMs, next, unfinished);
  }

  private long elapsedMs() {
    return (nanos.getAsLong() - startNanos) / NANOS_PER_MS; // down: the first request has it all
  }
}
