package dev.millrace.manifest;

import dev.millrace.core.limit.LimitSet;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted at one level; what is null is left as it is.
 *
 * @param limits the limits that are this region's alone
 * @param global the limits that all regions share
 * @param cascade whether an acquire also draws on the parent
 * @param disabled whether acquires are refused; only of a resource
 */
public record LevelSpec(
    @Nullable LimitSet limits,
    @Nullable LimitSet global,
    @Nullable Boolean cascade,
    @Nullable Boolean disabled) {
  /** Nothing is wanted. */
  public static final LevelSpec NOTHING = new LevelSpec(null, null, null, null);

  /** Only limits. */
  public static LevelSpec of(LimitSet limits) {
    return new LevelSpec(limits, null, null, null);
  }

  /** Whether any limits are wanted. */
  public boolean hasLimits() {
    return limits != null || global != null;
  }

  /** Whether nothing is wanted. */
  public boolean isNothing() {
    return equals(NOTHING);
  }
}
