package dev.millrace.core.spi.directory;

import dev.millrace.LimitSet;
import dev.millrace.OnUnavailable;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stored configuration of one level. One that says nothing any more stays, with its version:
 * were it deleted, its version would run backwards.
 *
 * @param limits its limits, null when it has none
 * @param cascade whether an acquire also draws on the parent, null to leave it to the entity; only
 *     for levels with a resource
 * @param disabled whether acquires are refused; only for {@code RESOURCE}
 * @param onUnavailable what limiters answer when the store is away; only for {@code SYSTEM}
 * @param auditRetentionDays how long audit events are kept; only for {@code SYSTEM}
 * @param regions what regions that share limits keep here, null for nothing
 * @param versionFloor the version that records of the entity which are not there count as, 0 when
 *     none was ever removed; only for {@code ENTITY}. It is later than any version that a removed
 *     one had, and those that are made anew begin after it, so that no version runs backwards
 */
public record ConfigRecord(
    RecordKey.Config key,
    long version,
    @Nullable LimitSet limits,
    @Nullable Boolean cascade,
    boolean disabled,
    @Nullable OnUnavailable onUnavailable,
    @Nullable Integer auditRetentionDays,
    @Nullable RegionsPart regions,
    long versionFloor)
    implements StoredRecord {
  /** A level of which regions keep nothing, and below which nothing was removed. */
  public ConfigRecord(
      RecordKey.Config key,
      long version,
      @Nullable LimitSet limits,
      @Nullable Boolean cascade,
      boolean disabled,
      @Nullable OnUnavailable onUnavailable,
      @Nullable Integer auditRetentionDays) {
    this(
        key,
        version,
        limits,
        cascade,
        disabled,
        onUnavailable,
        auditRetentionDays,
        /* regions= */ null,
        /* versionFloor= */ 0);
  }

  /** A level that says nothing yet. */
  public static ConfigRecord empty(RecordKey.Config key) {
    return empty(key, /* versionFloor= */ 0);
  }

  /**
   * A level that says nothing yet.
   *
   * @param versionFloor of the entity that it is about, 0 for none: its first version is later
   */
  public static ConfigRecord empty(RecordKey.Config key, long versionFloor) {
    return new ConfigRecord(key, versionFloor, null, null, false, null, null);
  }

  /**
   * What stays of a removed entity: a level that says nothing, in the next version.
   *
   * @param removedVersion the latest version among the records that are removed
   */
  public ConfigRecord asTombstone(long removedVersion) {
    return new ConfigRecord(
        key,
        version + 1,
        null,
        null,
        false,
        null,
        null,
        null,
        Math.max(versionFloor, removedVersion) + 1);
  }

  /**
   * The next version, with other limits. Where an operator's limits go, those that the regions
   * agreed on come back.
   */
  public ConfigRecord withLimits(@Nullable LimitSet changed) {
    LimitSet next = changed == null && regions != null ? regions.part() : changed;
    return new ConfigRecord(
        key,
        version + 1,
        next,
        cascade,
        disabled,
        onUnavailable,
        auditRetentionDays,
        regions,
        versionFloor);
  }

  /**
   * The next version, with other things that regions keep. Limits that an operator has set stay.
   */
  public ConfigRecord withRegions(RegionsPart changed) {
    LimitSet next = isOperators() ? limits : changed.part();
    return new ConfigRecord(
        key,
        version + 1,
        next,
        cascade,
        disabled,
        onUnavailable,
        auditRetentionDays,
        changed,
        versionFloor);
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
        new RegionsPart(whole, part, texts),
        versionFloor);
  }

  /** Whether the limits were set by an operator: the regions must not touch them. */
  public boolean isOperators() {
    return limits != null && (regions == null || !limits.equals(regions.part()));
  }

  /** The next version, with another answer to whether an acquire also draws on the parent. */
  public ConfigRecord withCascade(@Nullable Boolean changed) {
    return new ConfigRecord(
        key,
        version + 1,
        limits,
        changed,
        disabled,
        onUnavailable,
        auditRetentionDays,
        regions,
        versionFloor);
  }

  /** The next version, switched off or on. */
  public ConfigRecord withDisabled(boolean changed) {
    return new ConfigRecord(
        key,
        version + 1,
        limits,
        cascade,
        changed,
        onUnavailable,
        auditRetentionDays,
        regions,
        versionFloor);
  }

  /** The next version, with another answer when the store is away. */
  public ConfigRecord withOnUnavailable(@Nullable OnUnavailable changed) {
    return new ConfigRecord(
        key,
        version + 1,
        limits,
        cascade,
        disabled,
        changed,
        auditRetentionDays,
        regions,
        versionFloor);
  }

  /** The next version, with another retention of audit events. */
  public ConfigRecord withAuditRetentionDays(@Nullable Integer changed) {
    return new ConfigRecord(
        key, version + 1, limits, cascade, disabled, onUnavailable, changed, regions, versionFloor);
  }
}
