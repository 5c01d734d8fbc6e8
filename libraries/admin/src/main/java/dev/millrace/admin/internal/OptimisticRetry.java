package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A loop that reads, changes and writes, and begins again when another writer was first. */
final class OptimisticRetry {
  /** Most attempts of a change. */
  static final int MAX_ATTEMPTS = 12;

  private final RetryBackoff pauses;

  OptimisticRetry(RetryBackoff pauses) {
    this.pauses = pauses;
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
        pauses.backOff(attempts);
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
}
