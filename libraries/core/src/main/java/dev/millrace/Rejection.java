package dev.millrace;

import dev.millrace.core.internal.SaturatedMath;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The refusal of a request: the status of every limit that it touched, passed or not.
 *
 * @param statuses every limit, in the order of the request's legs and of the names within a leg
 */
public record Rejection(List<LimitStatus> statuses) implements Refusal {
  /** At least one limit must be exceeded: a refusal without a reason is a bug. */
  public Rejection {
    statuses = List.copyOf(statuses);
    if (!anyExceeded(statuses)) {
      throw new IllegalArgumentException("no limit is exceeded in " + statuses);
    }
  }

  /** A loop, because refusals are made millions of times a second. */
  private static boolean anyExceeded(List<LimitStatus> statuses) {
    for (int i = 0; i < statuses.size(); i++) {
      if (statuses.get(i).exceeded()) {
        return true;
      }
    }
    return false;
  }

  /** The limits that were exceeded. */
  public List<LimitStatus> violations() {
    return statuses.stream().filter(LimitStatus::exceeded).toList();
  }

  /** The limits that would have let the request pass. */
  public List<LimitStatus> passed() {
    return statuses.stream().filter(status -> !status.exceeded()).toList();
  }

  /** The same refusal with another time to wait for what was exceeded. */
  public Rejection retryingAfter(long ms) {
    return new Rejection(
        statuses.stream()
            .map(status -> status.exceeded() ? status.retryingAfter(ms) : status)
            .toList());
  }

  /** The violation that lasts longest, the first of equals. */
  public LimitStatus primary() {
    LimitStatus longest = violations().get(0);
    for (LimitStatus violation : violations()) {
      if (violation.retryAfterMs() > longest.retryAfterMs()) {
        longest = violation;
      }
    }
    return longest;
  }

  /** Milliseconds until every limit would pass, or {@link LimitStatus#NEVER}. */
  public long retryAfterMs() {
    return violations().stream()
        .map(LimitStatus::retryAfterMs)
        .max(Comparator.naturalOrder())
        .orElse(LimitStatus.NEVER);
  }

  /** How long to wait before trying again; empty when no waiting helps. */
  public Optional<Duration> retryAfter() {
    return primary().retryAfter();
  }

  /**
   * Whole seconds for an HTTP {@code Retry-After} field: rounded up, at least one, so that a client
   * that obeys is not refused again for coming early.
   */
  public long retryAfterSeconds() {
    return Math.max(1, SaturatedMath.ceilDivide(retryAfterMs(), 1_000));
  }
}
