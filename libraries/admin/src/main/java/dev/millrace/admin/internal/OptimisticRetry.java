package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.Pacer;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The waits between attempts, all of which go through the pacer; and a loop that reads, changes and
 * writes, and begins again when another writer was first.
 */
final class OptimisticRetry {
  /** Most attempts of a change. */
  static final int MAX_ATTEMPTS = 12;

  /** The wait after the first attempt; doubled after each further one. */
  private static final long FIRST_MS = 20;

  /** Longest wait between two attempts. */
  private static final long LONGEST_MS = 1_000;

  private final Pacer pacer;
  private final TimeIds ids;

  OptimisticRetry(Pacer pacer, TimeIds ids) {
    this.pacer = pacer;
    this.ids = ids;
  }

  /**
   * Makes a change.
   *
   * @param what the change, for the error message
   * @param attempt reads, decides and writes; null when it was too late and must read again
   */
  <T> T until(String what, Supplier<@Nullable T> attempt) {
    for (int attempts = 1; attempts <= MAX_ATTEMPTS; attempts++) {
      T result = attempted(attempt);
      if (result != null) {
        return result;
      }
      if (attempts < MAX_ATTEMPTS) {
        backOff(attempts);
      }
    }
    throw new LimiterUnavailableException(
        "other writers changed the same records on every attempt",
        Map.of("change", what, "attempts", MAX_ATTEMPTS),
        null);
  }

  private static <T> @Nullable T attempted(Supplier<@Nullable T> attempt) {
    try {
      return attempt.get();
    } catch (AncestorChains.TornReadException e) {
      return null;
    }
  }

  /** Waits before another attempt; random, so that two colliding writers do not collide again. */
  void backOff(int triesSoFar) {
    long longestMs = Math.min(LONGEST_MS, FIRST_MS << Math.min(triesSoFar - 1, 16));
    pause(longestMs / 2 + ids.nextLong(longestMs / 2) + 1);
  }

  void pause(long ms) {
    try {
      pacer.pause(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LimiterUnavailableException("interrupted while waiting", Map.of(), e);
    }
  }
}
