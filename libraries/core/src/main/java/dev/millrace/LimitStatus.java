package dev.millrace;

import java.time.Duration;
import java.util.Optional;

/**
 * The status of one limit when a request was decided.
 *
 * @param entityId whose limit
 * @param resource of what
 * @param limit the parameters
 * @param availableMilli the balance, below zero in debt
 * @param requestedMilli what the request asked of it
 * @param exceeded whether this limit was a reason to refuse
 * @param retryAfterMs milliseconds until it would pass, 0 when it passes now, {@link #NEVER} when
 *     the request is larger than the limit can ever hold
 */
public record LimitStatus(
    String entityId,
    String resource,
    Limit limit,
    long availableMilli,
    long requestedMilli,
    boolean exceeded,
    long retryAfterMs) {
  /** No waiting helps. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The name of the limit. */
  public String name() {
    return limit.name();
  }

  /** Whole tokens available, rounded down: never more than there are. */
  public long available() {
    return Math.floorDiv(availableMilli, Limit.MILLI);
  }

  /** Whole tokens requested, rounded up. */
  public long requested() {
    return -Math.floorDiv(-requestedMilli, Limit.MILLI);
  }

  /**
   * Whether a soft limit has less than was asked of it, or is in debt: it lets pass all the same.
   */
  public boolean overdrawn() {
    return limit.soft() && (requestedMilli > availableMilli || availableMilli < 0);
  }

  /** The same with another time to wait. */
  public LimitStatus retryingAfter(long ms) {
    return new LimitStatus(entityId, resource, limit, availableMilli, requestedMilli, exceeded, ms);
  }

  /** How long to wait before this limit passes; empty when no waiting helps. */
  public Optional<Duration> retryAfter() {
    return retryAfterMs == NEVER ? Optional.empty() : Optional.of(Duration.ofMillis(retryAfterMs));
  }
}
