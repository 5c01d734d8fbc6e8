package dev.millrace.core.directory;

import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.request.OnUnavailable;
import java.util.SortedMap;
import java.util.TreeMap;
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
 * @param regions what regions that share limits keep here, null for nothing
 */
public record ConfigRecord(
    RecordKey.Config key,
    long version,
    @Nullable LimitSet limits,
    @Nullable Boolean cascade,
    boolean disabled,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Integer auditRetentionDays,
    @Nullable RegionsPart regions)
    implements StoredRecord {
  /** A level of which regions keep nothing. */
  public ConfigRecord(
      RecordKey.Config key,
      long version,
      @Nullable LimitSet limits,
      @Nullable Boolean cascade,
      boolean disabled,
      @Nullable OnUnavailable onUnavailable,
      @Nullable Integer auditRetentionDays) {
    this(key, version, limits, cascade, disabled, onUnavailable, auditRetentionDays, null);
  }

  /** A level that says nothing yet. */
  public static ConfigRecord empty(RecordKey.Config key) {
    return new ConfigRecord(key, 0, null, null, false, null, null);
  }

  /**
   * The next version, with other limits. Where an operator's limits go, those that the regions
   * agreed on come back.
   */
  public ConfigRecord withLimits(@Nullable LimitSet changed) {
    LimitSet next = changed == null && regions != null ? regions.part() : changed;
    return new ConfigRecord(
        key, version + 1, next, cascade, disabled, onUnavailable, auditRetentionDays, regions);
  }

  /**
   * The next version, with other things that regions keep. Limits that an operator has set stay.
   */
  public ConfigRecord withRegions(RegionsPart changed) {
    LimitSet next = isOperators() ? limits : changed.part();
    return new ConfigRecord(
        key, version + 1, next, cascade, disabled, onUnavailable, auditRetentionDays, changed);
  }

  /**
   * The next version, with limits that regions share, whoever had set those before. What they keep
   * stays: what was given and got of a limit holds also when it is a larger or smaller one now.
   */
  public ConfigRecord withShared(LimitSet whole, LimitSet part) {
    SortedMap<String, String> texts = regions == null ? new TreeMap<>() : regions.texts();
    return new ConfigRecord(
        key,
        version + 1,
        part,
        cascade,
        disabled,
        onUnavailable,
        auditRetentionDays,
        new RegionsPart(whole, part, texts));
  }

  /** Whether the limits were set by an operator: the regions must not touch them. */
  public boolean isOperators() {
    return limits != null && (regions == null || !limits.equals(regions.part()));
  }

  /** The next version, with another answer to whether an acquire also draws on the parent. */
  public ConfigRecord withCascade(@Nullable Boolean changed) {
    return new ConfigRecord(
        key, version + 1, limits, changed, disabled, onUnavailable, auditRetentionDays, regions);
  }

  /** The next version, switched off or on. */
  public ConfigRecord withDisabled(boolean changed) {
    return new ConfigRecord(
        key, version + 1, limits, cascade, changed, onUnavailable, auditRetentionDays, regions);
  }

  /** The next version, with another answer when the store is away. */
  public ConfigRecord withOnUnavailable(@Nullable OnUnavailable changed) {
    return new ConfigRecord(
        key, version + 1, limits, cascade, disabled, changed, auditRetentionDays, regions);
  }

  /** The next version, with another retention of audit events. */
  public ConfigRecord withAuditRetentionDays(@Nullable Integer changed) {
    return new ConfigRecord(
        key, version + 1, limits, cascade, disabled, onUnavailable, changed, regions);
  }
}
