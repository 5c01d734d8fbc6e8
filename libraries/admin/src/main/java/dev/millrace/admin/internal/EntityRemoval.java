package dev.millrace.admin.internal;

import dev.millrace.Limit;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.JobView;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The removal of an entity: its record at once, in one transaction, and then all other data about
 * it.
 *
 * <p>One item stays: an empty config of the entity with a floor above all versions that were
 * removed. A missing record counts as having that version, and a new one begins above it. A process
 * that still has the removed limits in its cache may create a bucket with them. If the versions
 * were gone too, that bucket would appear newer than every other state, also than that of the
 * entity when it is created again. So no version may run backwards, however long the id is unused,
 * and a time to live would only postpone the day on which one does.
 */
public final class EntityRemoval {
  private final NamespaceScope scope;

  public EntityRemoval(NamespaceScope scope) {
    this.scope = scope;
  }

  /**
   * Removes an entity, or continues its removal.
   *
   * @param forgiveDebt whether to remove it even when some of its buckets are below zero
   */
  public JobView remove(String entityId, boolean forgiveDebt, ProgressListener progress) {
    JobRecord job = scope.retry("delete " + entityId, () -> attempt(entityId, forgiveDebt));
    return JobRunner.run(scope, job, progress);
  }

  private @Nullable JobRecord attempt(String entityId, boolean forgiveDebt) {
    RecordKey.Entity key = new RecordKey.Entity(scope.id(), entityId);
    RecordKey.Config configKey = RecordKey.Config.ofEntity(scope.id(), entityId);
    Map<RecordKey, StoredRecord> found = scope.lookup(List.of(key, configKey));
    EntityRecord entity = (EntityRecord) found.get(key);
    JobRecord hold = EntityHolds.at(scope, entityId);
    if (hold != null && !hold.done()) {
      EntityHolds.releaseStale(scope, List.of(hold));
      return EntityHolds.isRemoval(hold) ? hold : null;
    }
    if (entity == null && isUnknown(entityId)) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_ENTITY, "entity", entityId);
    }
    if (entity != null && entity.children() > 0) {
      throw ChangeRefusedException.of(
          Reason.HAS_CHILDREN, "entity", entityId, "children", entity.children());
    }
    if (!forgiveDebt) {
      requireNoDebt(entityId);
    }
    JobRecord job =
        JobRunner.begin(
            scope,
            EntityHolds.jobId(entityId),
            JobKind.ERASE_ENTITY,
            Map.of("entity", entityId),
            hold == null ? 0 : hold.version());
    List<RecordChange> changes =
        changes(entityId, entity, (ConfigRecord) found.get(configKey), job);
    return scope.commit(changes) == null ? job : null;
  }

  private List<RecordChange> changes(
      String entityId,
      @Nullable EntityRecord entity,
      @Nullable ConfigRecord config,
      JobRecord job) {
    List<RecordChange> changes = new ArrayList<>();
    long before = config == null ? 0 : config.version();
    if (entity != null) {
      changes.add(new RecordChange.Delete(entity.key(), entity.version()));
      if (entity.parentId() != null) {
        RecordKey.Entity parent = new RecordKey.Entity(scope.id(), entity.parentId());
        changes.add(new RecordChange.AddChildren(parent, -1));
      }
    }
    long removed = entity == null ? 0 : entity.version();
    changes.add(
        new RecordChange.Put(EntityErasure.tombstone(scope, entityId, config, removed), before));
    changes.add(JobRunner.put(job));
    changes.add(
        scope.audit(
            AuditSubjects.ofEntity(entityId), "entity.delete", AuditFields.of(entity), Map.of()));
    return changes;
  }

  /** Whether nothing but possibly a tombstone remains of an entity that has no record. */
  private boolean isUnknown(String entityId) {
    Listing configs = new Listing.ConfigsOfEntity(scope.id(), entityId);
    Listing buckets = new Listing.BucketsOfEntity(scope.id(), entityId);
    return scope.list(configs, 2, null).entries().stream().allMatch(this::isTombstone)
        && scope.list(buckets, 1, null).entries().isEmpty();
  }

  private boolean isTombstone(ListEntry entry) {
    return ((ListEntry.Stored) entry).record() instanceof ConfigRecord config
        && config.key().level() == ConfigLevel.ENTITY
        && config.limits() == null;
  }

  /** A debt must not be forgotten by mistake: a new bucket would start full. */
  private void requireNoDebt(String entityId) {
    scope.forEach(
        new Listing.BucketsOfEntity(scope.id(), entityId),
        scope.options().pageSize(),
        page -> BucketReads.ofFirst(scope, BucketReads.keys(page)).forEach(this::requireNoDebt));
  }

  /** The shards of a bucket may offset each other: the debt is that of the bucket. */
  private void requireNoDebt(List<BucketState> shards) {
    BucketReport bucket = BucketReads.report(shards, scope.nowMs());
    for (BucketReport.Balance balance : bucket.limits()) {
      if (balance.availableMilli() < 0 && !balance.limit().soft()) {
        throw ChangeRefusedException.of(
            Reason.IN_DEBT,
            "entity",
            bucket.entityId(),
            "resource",
            bucket.resource(),
            "limit",
            balance.limit().name(),
            "debt",
            Limit.tokens(-balance.availableMilli()));
      }
    }
  }
}
