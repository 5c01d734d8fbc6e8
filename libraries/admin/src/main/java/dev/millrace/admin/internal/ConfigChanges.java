package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.RegionsPart;
import dev.millrace.core.spi.directory.StoredRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes of the configuration at a level, field by field: unnamed fields stay. */
public final class ConfigChanges {
  /** The buckets that a change concerns. */
  private enum Reach {
    /** Buckets whose limits come from this level or a weaker one. */
    LIMITS,
    /** Every bucket of the level. */
    BUCKETS,
    /** None. */
    NONE
  }

  private final NamespaceScope scope;

  /** For one namespace. */
  public ConfigChanges(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Sets limits. */
  public ChangeResult setLimits(
      RecordKey.Config key, LimitSet limits, boolean allowOtherPeriod, ProgressListener progress) {
    Check check = allowOtherPeriod ? found -> {} : found -> requirePeriods(key, limits, found);
    return change(
        key, "limits.set", Reach.LIMITS, check, config -> config.withLimits(limits), progress);
  }

  /** Deletes limits; the other fields of the level stay. */
  public ChangeResult deleteLimits(RecordKey.Config key, ProgressListener progress) {
    return change(
        key,
        "limits.delete",
        Reach.LIMITS,
        found -> {},
        config -> config.withLimits(null),
        progress);
  }

  /** Shares limits with other regions; the region records that exist stay. */
  public ChangeResult share(
      RecordKey.Config key, LimitSet whole, LimitSet part, ProgressListener progress) {
    return change(
        key,
        "limits.share",
        Reach.LIMITS,
        found -> {},
        config -> config.withShared(whole, part),
        progress);
  }

  /** Marks that something below a level is shared. */
  public ChangeResult mark(RecordKey.Config key, ProgressListener progress) {
    return change(
        key,
        "regions.mark",
        Reach.NONE,
        found -> {},
        config ->
            config.regions() == null
                ? config.withRegions(
                    new RegionsPart(null, null, new TreeMap<>(Map.of("shared", "below"))))
                : config,
        progress);
  }

  /** Sets whether acquires are charged to the parent too, null to leave it to the entity. */
  public ChangeResult setCascade(
      RecordKey.Config key, @Nullable Boolean cascade, ProgressListener progress) {
    return change(
        key,
        "cascade.set",
        Reach.BUCKETS,
        found -> {},
        config -> config.withCascade(cascade),
        progress);
  }

  /** Switches a resource off or on. */
  public ChangeResult disable(RecordKey.Config key, boolean disabled, ProgressListener progress) {
    return change(
        key,
        disabled ? "resource.disable" : "resource.enable",
        Reach.BUCKETS,
        found -> {},
        config -> config.withDisabled(disabled),
        progress);
  }

  /** A change that concerns no bucket. */
  public ChangeResult settings(UnaryOperator<ConfigRecord> change) {
    ChangeResult result =
        change(
            RecordKey.Config.ofSystem(scope.id()),
            "settings.set",
            Reach.NONE,
            found -> {},
            change,
            ProgressListener.NONE);
    scope.forgetSettings();
    return result;
  }

  /** A check of the stored record before anything is written. */
  private interface Check {
    void on(Map<RecordKey, StoredRecord> found);
  }

  private ChangeResult change(
      RecordKey.Config key,
      String action,
      Reach reach,
      Check check,
      UnaryOperator<ConfigRecord> change,
      ProgressListener progress) {
    ChangeOutcome made =
        scope
            .tools()
            .retry()
            .until(
                action + " " + AuditSubjects.of(key),
                () -> attempt(key, action, reach, check, change));
    JobRecord job = made.job();
    return new ChangeResult(
        made.changed(), job == null ? null : JobRunner.run(scope, job, progress));
  }

  private record ChangeOutcome(boolean changed, @Nullable JobRecord job) {}

  private @Nullable ChangeOutcome attempt(
      RecordKey.Config key,
      String action,
      Reach reach,
      Check check,
      UnaryOperator<ConfigRecord> change) {
    List<RecordKey> keys = new ArrayList<>(weakerThan(key));
    keys.add(key);
    Map<RecordKey, StoredRecord> found = scope.calls().lookup(keys);
    check.on(found);
    requireNotBeingDeleted(key);
    ConfigRecord stored = (ConfigRecord) found.get(key);
    long floor = versionFloor(key, found);
    // A record that is not above the floor belonged to an entity that was removed meanwhile.
    ConfigRecord before = stored != null && stored.version() <= floor ? null : stored;
    ConfigRecord after = change.apply(before == null ? ConfigRecord.empty(key, floor) : before);
    boolean changed = !AuditFields.of(before).equals(AuditFields.of(after));
    JobRecord job = job(key, reach);
    List<RecordChange> changes = new ArrayList<>();
    if (changed) {
      changes.add(new RecordChange.Put(after, stored == null ? 0 : stored.version()));
      changes.add(
          scope.audit(
              AuditSubjects.of(key), action, described(key, before), described(key, after)));
    }
    if (job != null) {
      changes.add(JobRunner.put(job));
    }
    if (changes.isEmpty() || scope.calls().commit(changes) == null) {
      return new ChangeOutcome(changed, job);
    }
    return null;
  }

  /** Only limits for an entity and a resource may be deleted together with the entity. */
  private static long versionFloor(RecordKey.Config key, Map<RecordKey, StoredRecord> found) {
    return key.level() == ConfigLevel.ENTITY_RESOURCE
            && found.get(RecordKey.Config.ofEntity(key.namespace(), key.entityId()))
                instanceof ConfigRecord ofEntity
        ? ofEntity.versionFloor()
        : 0;
  }

  private @Nullable JobRecord job(RecordKey.Config key, Reach reach) {
    return switch (reach) {
      case LIMITS -> RefreshWork.afterLimits(scope, key);
      case BUCKETS -> RefreshWork.afterOther(scope, key);
      case NONE -> null;
    };
  }

  /** The event of an entity's config names its resource. */
  private static Map<String, String> described(
      RecordKey.Config key, @Nullable ConfigRecord config) {
    Map<String, String> fields = AuditFields.of(config);
    if (key.level() == ConfigLevel.ENTITY_RESOURCE && !fields.isEmpty()) {
      fields.put("resource", key.resource());
    }
    return fields;
  }

  private void requireNotBeingDeleted(RecordKey.Config key) {
    if (!key.entityId().isEmpty()) {
      JobRecord hold = EntityHolds.at(scope, key.entityId());
      if (hold != null && !hold.done() && EntityHolds.isRemoval(hold)) {
        throw ChangeRefusals.of(
            Reason.BEING_DELETED, "entity", key.entityId(), "job", hold.key().id());
      }
    }
  }

  /**
   * The weaker levels that apply to the same (entity, resource), as far as the key determines them.
   */
  private static List<RecordKey> weakerThan(RecordKey.Config key) {
    RecordKey system = RecordKey.Config.ofSystem(key.namespace());
    return switch (key.level()) {
      case ENTITY_RESOURCE ->
          List.of(
              RecordKey.Config.ofEntity(key.namespace(), key.entityId()),
              RecordKey.Config.ofResource(key.namespace(), key.resource()),
              system);
      case ENTITY, RESOURCE -> List.of(system);
      case SYSTEM, CALL -> List.of();
    };
  }

  private static void requirePeriods(
      RecordKey.Config key, LimitSet limits, Map<RecordKey, StoredRecord> found) {
    for (RecordKey weaker : weakerThan(key)) {
      LimitSet stored = found.get(weaker) instanceof ConfigRecord config ? config.limits() : null;
      for (Limit limit : limits) {
        int index = stored == null ? -1 : stored.indexOf(limit.name());
        if (stored != null && index >= 0) {
          requirePeriod(limit, stored.get(index), ((RecordKey.Config) weaker).level());
        }
      }
    }
  }

  private static void requirePeriod(Limit limit, Limit stored, ConfigLevel level) {
    if (limit.refill().periodMs() != stored.refill().periodMs()) {
      Map<String, Object> attributes = new LinkedHashMap<>();
      attributes.put("limit", limit.name());
      attributes.put("period", Duration.ofMillis(limit.refill().periodMs()));
      attributes.put("storedPeriod", Duration.ofMillis(stored.refill().periodMs()));
      attributes.put("storedAt", level.label());
      throw new ChangeRefusedException(Reason.OTHER_PERIOD, attributes);
    }
  }
}
