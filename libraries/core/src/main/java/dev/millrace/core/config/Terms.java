package dev.millrace.core.config;

import dev.millrace.core.limit.LimitSet;

/**
 * What holds for a bucket: its limits, and by what right.
 *
 * @param limits all limits of the bucket
 * @param stamp where they come from
 */
public record Terms(LimitSet limits, ConfigStamp stamp) {
  /** Limits that came with a call, about which nothing is stored. */
  public static Terms ofCall(LimitSet limits) {
    return new Terms(limits, ConfigStamp.CALL);
  }
}
