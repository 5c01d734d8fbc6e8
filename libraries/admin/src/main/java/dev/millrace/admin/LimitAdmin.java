package dev.millrace.admin;

import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import dev.millrace.OnUnavailable;
import dev.millrace.admin.internal.ConfigChanges;
import dev.millrace.admin.internal.ConfigChanges.Reach;
import dev.millrace.admin.internal.LimitExplainer;
import dev.millrace.admin.internal.ListingPages;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The stored limits of a namespace, at four levels.
 *
 * <p>A change is one transaction with its audit event. Then every shard of every existing bucket
 * that it concerns is updated before the call returns. If that is interrupted, the change is in
 * effect all the same, and the remaining buckets are updated by resuming the job or by repeating
 * the change. A change for one entity and resource finds the bucket by its key; one for an entity
 * or a resource by an index; one for the whole namespace must scan the table: expect it to take
 * long.
 */
public final class LimitAdmin {
  private static final int MAX_RETENTION_DAYS = 36_600;

  private final NamespaceScope scope;

  LimitAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Sets limits: see {@link #set(LimitTarget, LimitSet, SetOptions)}. */
  public ChangeResult set(LimitTarget target, LimitSet limits) {
    return set(target, limits, SetOptions.DEFAULT);
  }

  /**
   * Sets all limits of a target, replacing those it had.
   *
   * <p>A limit of the same name must mean the same at all levels: {@code rpm} by the minute for the
   * resource and by the hour for one entity is nearly always a mistake, and retry times and
   * dashboards would mix the two. So a limit whose refill period differs from that of the limit
   * with the same name at a weaker level is refused, unless the options allow it. Weaker than an
   * entity and resource are the entity, the resource and the system; weaker than an entity, or than
   * a resource, is the system. Setting a weaker level does not check the stronger ones: there may
   * be a hundred thousand.
   */
  public ChangeResult set(LimitTarget target, LimitSet limits, SetOptions options) {
    return new ConfigChanges(scope)
        .setLimits(target.in(scope.id()), limits, options.allowOtherPeriod(), options.progress());
  }

  /** The configuration stored at a target, if any. */
  public Optional<StoredLimits> get(LimitTarget target) {
    ConfigRecord record = (ConfigRecord) scope.lookup(target.in(scope.id()));
    return Optional.ofNullable(record).map(StoredLimits::of).filter(StoredLimits::hasContent);
  }

  /** The configuration stored at each of many targets; empty targets are left out. */
  public Map<LimitTarget, StoredLimits> getAll(Collection<LimitTarget> targets) {
    Map<RecordKey, LimitTarget> keys = new LinkedHashMap<>();
    targets.forEach(target -> keys.put(target.in(scope.id()), target));
    Map<RecordKey, StoredRecord> found = scope.lookup(keys.keySet());
    Map<LimitTarget, StoredLimits> stored = new HashMap<>();
    keys.forEach(
        (key, target) -> {
          StoredLimits limits =
              found.get(key) instanceof ConfigRecord record ? withContent(record) : null;
          if (limits != null) {
            stored.put(target, limits);
          }
        });
    return stored;
  }

  /** Deletes the limits of a target: see {@link #delete(LimitTarget, ProgressListener)}. */
  public ChangeResult delete(LimitTarget target) {
    return delete(target, ProgressListener.NONE);
  }

  /** Deletes the limits of a target, so that the next weaker level applies. */
  public ChangeResult delete(LimitTarget target, ProgressListener progress) {
    return change(
        target, "limits.delete", Reach.LIMITS, config -> config.withLimits(null), progress);
  }

  /** Sets whether acquires are charged to the parent too, without progress reports. */
  public ChangeResult setCascade(LimitTarget target, @Nullable Boolean cascade) {
    return setCascade(target, cascade, ProgressListener.NONE);
  }

  /**
   * Sets whether acquires of a resource, or of one entity and resource, are charged to the parent
   * too, overriding the setting of the entity.
   *
   * @param cascade null to leave it to the next level: the resource, then the entity itself
   */
  public ChangeResult setCascade(
      LimitTarget target, @Nullable Boolean cascade, ProgressListener progress) {
    if (target.resource().isEmpty()) {
      throw new IllegalArgumentException(
          "level " + target.level().label() + " has no cascade: an entity has its own");
    }
    return change(
        target, "cascade.set", Reach.BUCKETS, config -> config.withCascade(cascade), progress);
  }

  /** Disables or enables a resource, without progress reports. */
  public ChangeResult setDisabled(String resource, boolean disabled) {
    return setDisabled(resource, disabled, ProgressListener.NONE);
  }

  /**
   * Disables or enables a resource. A disabled one refuses every acquire of it, for all entities,
   * with an answer of its own; limits and balances stay. Every existing bucket is updated before
   * the call returns.
   */
  public ChangeResult setDisabled(String resource, boolean disabled, ProgressListener progress) {
    return change(
        LimitTarget.resource(resource),
        disabled ? "resource.disable" : "resource.enable",
        Reach.BUCKETS,
        config -> config.withDisabled(disabled),
        progress);
  }

  private ChangeResult change(
      LimitTarget target,
      String action,
      Reach reach,
      UnaryOperator<ConfigRecord> change,
      ProgressListener progress) {
    return new ConfigChanges(scope).change(target.in(scope.id()), action, reach, change, progress);
  }

  /** Explains the limits of an entity and a resource. */
  public LimitExplanation explain(String entityId, String resource) {
    return LimitExplainer.explain(
        scope,
        NameRules.requireEntityId(entityId),
        NameRules.requireResource(resource),
        LimitAdmin::withContent);
  }

  /** The entities with limits of their own for a resource, by id. */
  public Page<StoredLimits> ofEntities(String resource, int pageSize, @Nullable String cursor) {
    NameRules.requireResource(resource);
    return ListingPages.ofEntities(
        scope,
        new Listing.ConfiguredEntities(scope.id(), resource),
        pageSize,
        cursor,
        id -> RecordKey.Config.ofEntityResource(scope.id(), id, resource),
        ConfigRecord.class,
        LimitAdmin::withLimits);
  }

  /** The entities with limits of their own for any resource, by id. */
  public Page<StoredLimits> ofEntities(int pageSize, @Nullable String cursor) {
    return ListingPages.ofEntities(
        scope,
        new Listing.DefaultedEntities(scope.id()),
        pageSize,
        cursor,
        id -> RecordKey.Config.ofEntity(scope.id(), id),
        ConfigRecord.class,
        LimitAdmin::withLimits);
  }

  /** The resources with stored configuration, by name. */
  public Page<StoredLimits> ofResources(int pageSize, @Nullable String cursor) {
    return ListingPages.ofRecords(
        scope,
        new Listing.ResourceConfigs(scope.id()),
        pageSize,
        cursor,
        ConfigRecord.class,
        LimitAdmin::withContent);
  }

  /** The configuration stored for one entity, at both levels. */
  public Page<StoredLimits> ofEntity(String entityId, int pageSize, @Nullable String cursor) {
    return ListingPages.ofRecords(
        scope,
        new Listing.ConfigsOfEntity(scope.id(), NameRules.requireEntityId(entityId)),
        pageSize,
        cursor,
        ConfigRecord.class,
        LimitAdmin::withContent);
  }

  private static @Nullable StoredLimits withLimits(ConfigRecord record) {
    return record.limits() == null ? null : StoredLimits.of(record);
  }

  private static @Nullable StoredLimits withContent(ConfigRecord record) {
    StoredLimits stored = StoredLimits.of(record);
    return stored.hasContent() ? stored : null;
  }

  /** The settings of the namespace besides limits. */
  public SystemSettings settings() {
    ConfigRecord record = (ConfigRecord) scope.lookup(RecordKey.Config.ofSystem(scope.id()));
    return record == null
        ? new SystemSettings(null, null)
        : new SystemSettings(record.onUnavailable(), record.auditRetentionDays());
  }

  /** Sets the answer of limiters when the store is unavailable, null to leave it to them. */
  public ChangeResult setOnUnavailable(@Nullable OnUnavailable onUnavailable) {
    return new ConfigChanges(scope).settings(config -> config.withOnUnavailable(onUnavailable));
  }

  /** Sets the number of days for which audit events are kept from now on, null for the default. */
  public ChangeResult setAuditRetentionDays(@Nullable Integer days) {
    if (days != null && (days < 1 || days > MAX_RETENTION_DAYS)) {
      throw new IllegalArgumentException(
          "auditRetentionDays " + days + " must be from 1 to " + MAX_RETENTION_DAYS);
    }
    return new ConfigChanges(scope).settings(config -> config.withAuditRetentionDays(days));
  }
}
