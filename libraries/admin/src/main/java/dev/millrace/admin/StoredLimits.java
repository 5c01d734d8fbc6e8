package dev.millrace.admin;

import dev.millrace.core.directory.ConfigRecord;
import dev.millrace.core.directory.RegionsPart;
import dev.millrace.core.limit.LimitSet;
import org.jspecify.annotations.Nullable;

/**
 * What is stored at one level.
 *
 * @param target where
 * @param limits the limits, null when there are none
 * @param cascade whether an acquire also draws on the parent, null to leave it to the entity
 * @param disabled whether acquires are refused; only a resource can be
 * @param version grows with every change
 * @param shared what all regions share here, of which {@code limits} holds this region's part; null
 *     when nothing is
 */
public record StoredLimits(
    LimitTarget target,
    @Nullable LimitSet limits,
    @Nullable Boolean cascade,
    boolean disabled,
    long version,
    @Nullable LimitSet shared) {
  static StoredLimits of(ConfigRecord record) {
    return new StoredLimits(
        new LimitTarget(record.key().level(), record.key().entityId(), record.key().resource()),
        record.limits(),
        record.cascade(),
        record.disabled(),
        record.version(),
        sharedOf(record));
  }

  /** Where an operator has set other limits since, those hold and nothing is shared. */
  private static @Nullable LimitSet sharedOf(ConfigRecord record) {
    RegionsPart regions = record.regions();
    return regions == null || record.isOperators() ? null : regions.whole();
  }

  /** Whether it says anything; what was deleted stays with its version and says nothing. */
  boolean saysAnything() {
    return limits != null || cascade != null || disabled;
  }
}
