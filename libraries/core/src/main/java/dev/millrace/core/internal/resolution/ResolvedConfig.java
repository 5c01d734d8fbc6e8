package dev.millrace.core.internal.resolution;

import dev.millrace.LimitSet;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that applies to an (entity, resource).
 *
 * @param limits the stored limits, null when no level has any
 * @param stamp where they come from; {@link ConfigLevel#CALL} when no level has any
 * @param drawsOn the parent on which an acquire also draws, null for none
 * @param whole the limits that all regions share and of which {@code limits} are this region's
 *     part, null when nothing is shared
 * @param ancestorsHint whose records will probably be needed next, the nearest first
 */
public record ResolvedConfig(
    @Nullable LimitSet limits,
    ConfigStamp stamp,
    @Nullable String drawsOn,
    @Nullable LimitSet whole,
    List<String> ancestorsHint) {
  /** Keeps the hint as it is now. */
  public ResolvedConfig {
    ancestorsHint = List.copyOf(ancestorsHint);
  }

  /**
   * The terms of a bucket, or null when there are no limits.
   *
   * @param given limits that came with the call; they are stronger than all stored ones
   */
  public @Nullable EffectiveLimits terms(@Nullable LimitSet given) {
    if (given != null) {
      return new EffectiveLimits(given, stamp.ofCall());
    }
    return limits == null ? null : new EffectiveLimits(limits, stamp);
  }
}
