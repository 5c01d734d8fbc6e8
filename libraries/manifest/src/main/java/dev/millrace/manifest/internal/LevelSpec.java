package dev.millrace.manifest.internal;

import dev.millrace.LimitSet;
import org.jspecify.annotations.Nullable;

/**
 * The desired configuration of one level; null leaves a field as it is.
 *
 * @param limits the limits that are this region's alone
 * @param global the limits that all regions share
 * @param cascade whether acquires are charged to the parent too
 * @param disabled whether acquires are refused; only of a resource
 */
public record LevelSpec(
    @Nullable LimitSet limits,
    @Nullable LimitSet global,
    @Nullable Boolean cascade,
    @Nullable Boolean disabled) {
  public static final LevelSpec NOTHING = new LevelSpec(null, null, null, null);

  /** Only limits. */
  public static LevelSpec of(LimitSet limits) {
    return new LevelSpec(limits, null, null, null);
  }

  public boolean hasLimits() {
    return limits != null || global != null;
  }

  /** Whether it is empty. */
  public boolean isNothing() {
    return equals(NOTHING);
  }
}
