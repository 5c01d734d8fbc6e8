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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes of the configuration at a level, field by field: unnamed fields stay. */
public final class ConfigChanges {
  /** The buckets that a change concerns. */
  public enum Reach {
    /** Buckets whose limits come from this level or a weaker one. */
    LIMITS,
    /** Every bucket of the level. */
    BUCKETS,
    /** None. */
    NONE
  }

  private final NamespaceScope scope;

  public ConfigChanges(NamespaceScope scope) {
    this.scope = scope;
  }

  public ChangeResult setLimits(
      RecordKey.Config key, LimitSet limits, boolean allowOtherPeriod, ProgressListener progress) {
    Check check = allowOtherPeriod ? found -> {} : found -> requirePeriods(key, limits, found);
    return change(
        key, "limits.set", Reach.LIMITS, check, config -> config.withLimits(limits), progress);
  }

  /** Marks that something below a level is shared. */
  public ChangeResult mark(RecordKey.Config key, ProgressListener progress) {
    return change(
        key,
        "regions.mark",
        Reach.NONE,
        config ->
            config.regions() == null
                ? config.withRegions(
                    new RegionsPart(null, null, new TreeMap<>(Map.of("shared", "below"))))
                : config,
        progress);
  }

  /** A change that concerns no bucket. */
  public ChangeResult settings(UnaryOperator<ConfigRecord> change) {
    ChangeResult result =
        change(
            RecordKey.Config.ofSystem(scope.id()),
            "settings.set",
            Reach.NONE,
            change,
            ProgressListener.NONE);
    scope.forgetSettings();
    return result;
  }

  /** Changes the configuration of a level. */
  public ChangeResult change(
      RecordKey.Config key,
      String action,
      Reach reach,
      UnaryOperator<ConfigRecord> change,
      ProgressListener progress) {
    return change(key, action, reach, found -> {}, change, progress);
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
    return scope
        .retry(
            action + " " + AuditSubjects.of(key), () -> attempt(key, action, reach, check, change))
        .run(scope, progress);
  }

  private @Nullable ChangeOutcome attempt(
      RecordKey.Config key,
      String action,
      Reach reach,
      Check check,
      UnaryOperator<ConfigRecord> change) {
    List<RecordKey> keys = new ArrayList<>(weakerThan(key));
    keys.add(key);
    Map<RecordKey, StoredRecord> found = scope.lookup(keys);
    check.on(found);
    requireNotBeingDeleted(key);
    ConfigRecord stored = (ConfigRecord) found.get(key);
    long floor = versionFloor(key, found);
    // A record that is not above the floor belonged to an entity that was removed meanwhile.
    ConfigRecord before = stored != null && stored.version() <= floor ? null : stored;
    ConfigRecord after = change.apply(before == null ? ConfigRecord.empty(key, floor) : before);
    return ChangeOutcome.write(
        scope,
        new RecordChange.Put(after, stored == null ? 0 : stored.version()),
        AuditSubjects.of(key),
        action,
        described(key, before),
        described(key, after),
        job(key, reach));
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
        throw ChangeRefusedException.of(
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
      throw ChangeRefusedException.of(
          Reason.OTHER_PERIOD,
          "limit",
          limit.name(),
          "period",
          Duration.ofMillis(limit.refill().periodMs()),
          "storedPeriod",
          Duration.ofMillis(stored.refill().periodMs()),
          "storedAt",
          level.label());
    }
  }
}
