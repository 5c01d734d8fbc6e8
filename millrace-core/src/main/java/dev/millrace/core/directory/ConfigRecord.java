package dev.millrace.core.directory;

import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.OnUnavailable;
import org.jspecify.annotations.Nullable;

/**
 * What one level says. One that says nothing any more stays, with its version: were it deleted, the
 * sum of the versions would run backwards.
 *
 * @param limits its limits, null when it has none
 * @param cascade whether an acquire also draws on the parent, null to leave it to the entity; only
 *     for levels with a resource
 * @param disabled whether acquires are refused; only for {@code RESOURCE}
 * @param onUnavailable what limiters answer when the store is away; only for {@code SYSTEM}
 * @param auditRetentionDays how long audit events are kept; only for {@code SYSTEM}
 */
public record ConfigRecord(
    RecordKey.Config key,
    long version,
    @Nullable LimitSet limits,
    @Nullable Boolean cascade,
    boolean disabled,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Integer auditRetentionDays)
    implements StoredRecord {
  /** A level that says nothing yet. */
  public static ConfigRecord empty(RecordKey.Config key) {
    return new ConfigRecord(key, 0, null, null, false, null, null);
  }

  /** The next version, with other limits. */
  public ConfigRecord withLimits(@Nullable LimitSet changed) {
    return new ConfigRecord(
        key, version + 1, changed, cascade, disabled, onUnavailable, auditRetentionDays);
  }

  /** The next version, with another answer to whether an acquire also draws on the parent. */
  public ConfigRecord withCascade(@Nullable Boolean changed) {
    return new ConfigRecord(
        key, version + 1, limits, changed, disabled, onUnavailable, auditRetentionDays);
  }

  /** The next version, switched off or on. */
  public ConfigRecord withDisabled(boolean changed) {
    return new ConfigRecord(
        key, version + 1, limits, cascade, changed, onUnavailable, auditRetentionDays);
  }

  /** The next version, with another answer when the store is away. */
  public ConfigRecord withOnUnavailable(@Nullable OnUnavailable changed) {
    return new ConfigRecord(
        key, version + 1, limits, cascade, disabled, changed, auditRetentionDays);
  }

  /** The next version, with another retention of audit events. */
  public ConfigRecord withAuditRetentionDays(@Nullable Integer changed) {
    return new ConfigRecord(key, version + 1, limits, cascade, disabled, onUnavailable, changed);
  }
}
