package dev.millrace.core.config;

import dev.millrace.core.limit.LimitSet;

/**
 * What holds for a bucket: its limits, and by what right.
 *
 * @param limits all limits of the bucket
 * @param standing where they come from
 */
public record Terms(LimitSet limits, Standing standing) {
  /** Limits that came with a call, about which nothing is stored. */
  public static Terms ofCall(LimitSet limits) {
    return new Terms(limits, Standing.CALL);
  }
}
