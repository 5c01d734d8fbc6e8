package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.EntityUpdate;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes of an entity's own record that do not move it. */
public final class EntityChanges {
  private final NamespaceScope scope;

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
    return scope
        .retry(action + " " + entityId, () -> attempt(entityId, action, reachesBuckets, change))
        .run(scope, progress);
  }

  private @Nullable ChangeOutcome attempt(
      String entityId, String action, boolean reachesBuckets, UnaryOperator<EntityRecord> change) {
    EntityRecord before = (EntityRecord) scope.lookup(new RecordKey.Entity(scope.id(), entityId));
    if (before == null) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_ENTITY, "entity", entityId);
    }
    EntityRecord after = change.apply(before);
    return ChangeOutcome.write(
        scope,
        new RecordChange.Put(after, before.version()),
        AuditSubjects.ofEntity(entityId),
        action,
        AuditFields.of(before),
        AuditFields.of(after),
        reachesBuckets ? RefreshWork.afterEntity(scope, entityId) : null);
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
    return with(
        entity, entity.parentId(), entity.ancestorsHint(), name, cascade, disabled, metadata);
  }

  /** The next version of a record. */
  static EntityRecord with(
      EntityRecord entity,
      @Nullable String parentId,
      List<String> ancestors,
      String name,
      boolean cascade,
      boolean disabled,
      Map<String, String> metadata) {
    return new EntityRecord(
        entity.key(),
        entity.version() + 1,
        name,
        parentId,
        ancestors,
        cascade,
        disabled,
        metadata,
        entity.createdAtMs(),
        entity.children());
  }
}
