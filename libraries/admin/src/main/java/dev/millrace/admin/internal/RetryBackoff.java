package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.AdminOptions;
import java.util.Map;

/** The waits of the administration, all of which go through the pacer. */
final class RetryBackoff {
  /** The wait after the first attempt; doubled after each further one. */
  private static final long FIRST_MS = 20;

  /** Longest wait between two attempts. */
  private static final long LONGEST_MS = 1_000;

  private final AdminOptions options;
  private final TimeIds ids;

  RetryBackoff(AdminOptions options, TimeIds ids) {
    this.options = options;
    this.ids = ids;
  }

  /** Waits before another attempt; random, so that two colliding writers do not collide again. */
  void backOff(int triesSoFar) {
    long longestMs = Math.min(LONGEST_MS, FIRST_MS << Math.min(triesSoFar - 1, 16));
    pause(longestMs / 2 + ids.nextLong(longestMs / 2) + 1);
  }

  /** Waits. */
  void pause(long ms) {
    try {
      options.pacer().pause(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LimiterUnavailableException("interrupted while waiting", Map.of(), e);
    }
  }
}
