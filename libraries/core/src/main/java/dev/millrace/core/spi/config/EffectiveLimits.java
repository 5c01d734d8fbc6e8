package dev.millrace.core.spi.config;

import dev.millrace.LimitSet;

/**
 * The limits that apply to a bucket, and the configuration that they come from.
 *
 * @param limits all limits of the bucket
 * @param stamp where they come from
 */
public record EffectiveLimits(LimitSet limits, ConfigStamp stamp) {
  /** Limits that came with a call, about which nothing is stored. */
  public static EffectiveLimits ofCall(LimitSet limits) {
    return new EffectiveLimits(limits, ConfigStamp.CALL);
  }
}
