package dev.millrace.server.envoy;

import dev.millrace.Limit;
import dev.millrace.LimitStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a limit stands after a decision.
 *
 * @param limit the limit
 * @param availableMilli what is left; below zero in debt
 * @param resetMs milliseconds until a refused request would pass, or until all of it is back
 */
record Standing(Limit limit, long availableMilli, long resetMs) {
  /** After a request that passed. */
  static Standing left(Limit limit, long availableMilli) {
    return new Standing(
        limit, availableMilli, limit.refill().timeToEarnMs(limit.burstMilli() - availableMilli));
  }

  /** After a request that was refused. */
  static Standing refused(LimitStatus status) {
    return new Standing(status.limit(), status.availableMilli(), status.retryAfterMs());
  }

  /** What part of the capacity is used, from 0; above 1 in debt. */
  double used() {
    return 1 - (double) availableMilli / limit.capacityMilli();
  }

  /** Whole tokens that are left, at least none. */
  long remaining() {
    return Math.max(0, Math.floorDiv(availableMilli, Limit.MILLI));
  }

  /** The one of which the largest part is used: what a client should know about. */
  static @Nullable Standing tightest(List<Standing> standings) {
    Standing tightest = null;
    for (Standing standing : standings) {
      if (tightest == null || standing.used() > tightest.used()) {
        tightest = standing;
      }
    }
    return tightest;
  }
}
