package dev.millrace.client.internal;

import dev.millrace.core.decision.LimitStatus;
import dev.millrace.core.decision.Rejection;
import dev.millrace.core.error.LimiterUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What blocking and asynchronous waiting have in common. */
final class Waits {
  /** Longest time that a caller may wait. */
  static final Duration MAX_WAIT = Duration.ofDays(1);

  private Waits() {}

  static long requireMaxWaitMs(Duration maxWait) {
    if (maxWait.isNegative() || maxWait.compareTo(MAX_WAIT) > 0) {
      throw new IllegalArgumentException(
          "maxWait " + maxWait + " must be from PT0S to " + MAX_WAIT);
    }
    return maxWait.toMillis();
  }

  static WaitLines.Ticket enter(LimiterCore core, Prepared prepared) {
    WaitLines.Ticket ticket = core.lines().enter(prepared.key(), prepared.amounts());
    if (ticket == null) {
      core.events().tell(listener -> listener.onWaitLineFull(prepared.key()));
      throw new LimiterUnavailableException(
          "too many callers wait for this bucket",
          Map.of("bucket", prepared.key(), "maxWaiters", core.options().maxWaiters()),
          null);
    }
    return ticket;
  }

  /**
   * The refusal of a caller that must wait behind others longer than it is willing to, or null when
   * that cannot be told.
   */
  static @Nullable Rejection hopeless(
      LimiterCore core, Prepared prepared, WaitLines.Ticket ticket, long leftMs) {
    List<LimitStatus> statuses = core.views().peek(prepared, core.lines().ahead(ticket));
    if (statuses == null || statuses.stream().noneMatch(LimitStatus::exceeded)) {
      return null;
    }
    Rejection rejection = new Rejection(statuses);
    return rejection.retryAfterMs() > leftMs ? rejection : null;
  }
}
