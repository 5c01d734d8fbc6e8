package dev.millrace.admin;

import dev.millrace.LimitSet;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.RegionsPart;
import org.jspecify.annotations.Nullable;

/**
 * The configuration stored at one level.
 *
 * @param target the level, entity and resource
 * @param limits the limits, null when there are none
 * @param cascade whether acquires are charged to the parent too, null to leave it to the entity
 * @param disabled whether acquires are refused; only for a resource
 * @param version grows with every change
 * @param shared the limits that all regions share here, of which {@code limits} holds this region's
 *     part; null when there are none
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

  /** When an operator has since set other limits, those apply and nothing is shared. */
  private static @Nullable LimitSet sharedOf(ConfigRecord record) {
    RegionsPart regions = record.regions();
    return regions == null || record.isOperators() ? null : regions.whole();
  }

  /** Whether it has any content; deleted configuration keeps its version and has none. */
  boolean hasContent() {
    return limits != null || cascade != null || disabled;
  }
}
