package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes of an entity's own record that do not move it. */
public final class EntityChanges {
  private final NamespaceScope scope;

  /** For one namespace. */
  public EntityChanges(NamespaceScope scope) {
    this.scope = scope;
  }

  /** Changes name, cascade and metadata; only the cascade concerns buckets. */
  public ChangeResult update(String entityId, EntityUpdate update, ProgressListener progress) {
    return change(
        entityId,
        "entity.update",
        /* reachesBuckets= */ update.cascade() != null,
        entity -> updated(entity, update),
        progress);
  }

  /** Switches an entity off or on. */
  public ChangeResult disable(String entityId, boolean disabled, ProgressListener progress) {
    return change(
        entityId,
        disabled ? "entity.disable" : "entity.enable",
        /* reachesBuckets= */ true,
        entity -> with(entity, entity.name(), entity.cascade(), disabled, entity.metadata()),
        progress);
  }

  private ChangeResult change(
      String entityId,
      String action,
      boolean reachesBuckets,
      UnaryOperator<EntityRecord> change,
      ProgressListener progress) {
    ChangeOutcome made =
        scope
            .tools()
            .retry()
            .until(
                action + " " + entityId, () -> attempt(entityId, action, reachesBuckets, change));
    JobRecord job = made.job();
    return new ChangeResult(
        made.changed(), job == null ? null : JobRunner.run(scope, job, progress));
  }

  private record ChangeOutcome(boolean changed, @Nullable JobRecord job) {}

  private @Nullable ChangeOutcome attempt(
      String entityId, String action, boolean reachesBuckets, UnaryOperator<EntityRecord> change) {
    EntityRecord before =
        (EntityRecord) scope.calls().lookup(new RecordKey.Entity(scope.id(), entityId));
    if (before == null) {
      throw ChangeRefusals.of(Reason.UNKNOWN_ENTITY, "entity", entityId);
    }
    EntityRecord after = change.apply(before);
    boolean changed = !AuditFields.of(before).equals(AuditFields.of(after));
    JobRecord job = reachesBuckets ? RefreshWork.afterEntity(scope, entityId) : null;
    List<RecordChange> changes = new ArrayList<>();
    if (changed) {
      changes.add(new RecordChange.Put(after, before.version()));
      changes.add(
          scope.audit(
              AuditSubjects.ofEntity(entityId),
              action,
              AuditFields.of(before),
              AuditFields.of(after)));
    }
    if (job != null) {
      changes.add(JobRunner.put(job));
    }
    if (changes.isEmpty() || scope.calls().commit(changes) == null) {
      return new ChangeOutcome(changed, job);
    }
    return null;
  }

  private static EntityRecord updated(EntityRecord entity, EntityUpdate update) {
    return with(
        entity,
        update.name() == null ? entity.name() : update.name(),
        update.cascade() == null ? entity.cascade() : update.cascade(),
        entity.disabled(),
        update.metadata() == null ? entity.metadata() : update.metadata());
  }

  private static EntityRecord with(
      EntityRecord entity,
      String name,
      boolean cascade,
      boolean disabled,
      Map<String, String> metadata) {
    return new EntityRecord(
        entity.key(),
        entity.version() + 1,
        name,
        entity.parentId(),
        entity.ancestorsHint(),
        cascade,
        disabled,
        metadata,
        entity.createdAtMs(),
        entity.children());
  }
}
