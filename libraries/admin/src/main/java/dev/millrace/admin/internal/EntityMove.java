package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The move of an entity, with all its descendants, to another parent.
 *
 * <p>The transaction that moves it requires the versions of all its new and old ancestors. So no
 * two moves can together make a cycle, each under the other, or a chain that is too long. When the
 * entity does not end up deeper than before, neither do its descendants. Otherwise the tree below
 * it is measured, and held meanwhile: see {@link EntityHolds}.
 */
public final class EntityMove {
  private final NamespaceScope scope;

  public EntityMove(NamespaceScope scope) {
    this.scope = scope;
  }

  /**
   * Moves the entity and updates its buckets.
   *
   * @param parentId the new parent, null for the top
   */
  public ChangeResult move(String entityId, @Nullable String parentId, ProgressListener progress) {
    ChangeOutcome moved = scope.retry("move " + entityId, () -> attempt(entityId, parentId));
    return moved.run(scope, progress);
  }

  private @Nullable ChangeOutcome attempt(String entityId, @Nullable String parentId) {
    AncestorChains chains =
        AncestorChains.read(
            scope, parentId == null ? List.of(entityId) : List.of(entityId, parentId));
    List<EntityRecord> chain = chains.of(entityId);
    if (chain.isEmpty()) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_ENTITY, "entity", entityId);
    }
    EntityRecord entity = chain.get(0);
    if (Objects.equals(entity.parentId(), parentId)) {
      JobRecord job = RefreshWork.afterEntity(scope, entityId);
      scope.commit(List.of(JobRunner.put(job)));
      return new ChangeOutcome(false, job);
    }
    List<EntityRecord> above = parentId == null ? List.of() : chains.of(parentId);
    requireParent(entityId, parentId, above);
    Map<String, JobRecord> holds = EntityHolds.find(scope, held(entityId, above));
    if (!holds.isEmpty()) {
      EntityHolds.releaseStale(scope, holds.values());
      return null;
    }
    return above.size() + 1 <= chain.size()
        ? commit(entity, above, chain.subList(1, chain.size()), null)
        : held(entity, above);
  }

  private static List<String> held(String entityId, List<EntityRecord> above) {
    List<String> ids = new ArrayList<>(AncestorChains.ids(above));
    ids.add(entityId);
    return ids;
  }

  private static void requireParent(
      String entityId, @Nullable String parentId, List<EntityRecord> above) {
    if (parentId == null) {
      return;
    }
    if (parentId.equals(entityId) || AncestorChains.ids(above).contains(entityId)) {
      throw ChangeRefusedException.of(Reason.CYCLE, "entity", entityId, "parent", parentId);
    }
    if (above.isEmpty()) {
      throw ChangeRefusedException.of(
          Reason.UNKNOWN_PARENT, "entity", entityId, "parent", parentId);
    }
    EntityCreation.requireDepth(entityId, above.size() + 1);
  }

  /** Deeper than before: holds the tree below, measures its depth, and moves it. */
  private @Nullable ChangeOutcome held(EntityRecord entity, List<EntityRecord> above) {
    String entityId = entity.key().entityId();
    String parentId = above.get(0).key().entityId();
    // A move that is too deep in any case is refused before anything is written.
    requireHeight(entity, above, /* held= */ false);
    JobRecord before = EntityHolds.at(scope, entityId);
    if (before != null && !before.done()) {
      return null;
    }
    JobRecord hold =
        JobRunner.begin(
            scope,
            EntityHolds.jobId(entityId),
            JobKind.HOLD_ENTITY,
            Map.of("entity", entityId),
            before == null ? 0 : before.version());
    EntityRecord raised = withParent(entity, entity.parentId(), entity.ancestorsHint());
    StoreReply.Cancelled cancelled =
        scope.commit(List.of(new RecordChange.Put(raised, entity.version()), JobRunner.put(hold)));
    if (cancelled != null) {
      return null;
    }
    ChangeOutcome moved;
    try {
      moved = whileHeld(entityId, parentId, hold);
    } catch (RuntimeException refused) {
      try {
        EntityHolds.release(scope, hold);
      } catch (RuntimeException e) {
        refused.addSuppressed(e);
      }
      throw refused;
    }
    if (moved == null) {
      EntityHolds.release(scope, hold);
    }
    return moved;
  }

  private @Nullable ChangeOutcome whileHeld(String entityId, String parentId, JobRecord hold) {
    AncestorChains chains = AncestorChains.read(scope, List.of(entityId, parentId));
    List<EntityRecord> chain = chains.of(entityId);
    List<EntityRecord> above = chains.of(parentId);
    if (chain.isEmpty()) {
      return null;
    }
    requireParent(entityId, parentId, above);
    // Another move may hold one of the new ancestors and wait for this one: one of them has to
    // release.
    if (!EntityHolds.find(scope, AncestorChains.ids(above)).isEmpty()) {
      return null;
    }
    requireHeight(chain.get(0), above, /* held= */ true);
    return commit(chain.get(0), above, chain.subList(1, chain.size()), hold);
  }

  private void requireHeight(EntityRecord entity, List<EntityRecord> above, boolean held) {
    int most = AncestorChains.MAX_LEVELS - above.size();
    int levels = TreeHeight.of(scope, entity, most, held);
    if (levels > most) {
      throw ChangeRefusedException.of(
          Reason.TOO_DEEP,
          "entity",
          entity.key().entityId(),
          "parent",
          AncestorChains.ids(above).get(0),
          "levelsAbove",
          above.size(),
          "levelsBelow",
          "at least " + levels,
          "most",
          AncestorChains.MAX_LEVELS);
    }
  }

  private @Nullable ChangeOutcome commit(
      EntityRecord entity,
      List<EntityRecord> above,
      List<EntityRecord> aboveBefore,
      @Nullable JobRecord hold) {
    String entityId = entity.key().entityId();
    String parentId = above.isEmpty() ? null : above.get(0).key().entityId();
    EntityRecord moved = withParent(entity, parentId, AncestorChains.ids(above));
    JobRecord job = RefreshWork.afterEntity(scope, entityId);
    List<RecordChange> changes = new ArrayList<>();
    changes.add(new RecordChange.Put(moved, entity.version()));
    changes.add(
        scope.audit(
            AuditSubjects.ofEntity(entityId),
            "entity.move",
            AuditFields.of(entity),
            AuditFields.of(moved)));
    changes.add(JobRunner.put(job));
    if (hold != null) {
      changes.add(EntityHolds.end(hold));
    }
    changes.addAll(ancestors(above, aboveBefore));
    return scope.commit(changes) == null ? new ChangeOutcome(true, job) : null;
  }

  /** Updates the child counts of both parents and requires that no ancestor has moved. */
  private static List<RecordChange> ancestors(
      List<EntityRecord> above, List<EntityRecord> aboveBefore) {
    Map<String, RecordChange> changes = new LinkedHashMap<>();
    aboveBefore.forEach(each -> changes.put(each.key().entityId(), check(each)));
    above.forEach(each -> changes.put(each.key().entityId(), check(each)));
    if (!aboveBefore.isEmpty()) {
      EntityRecord before = aboveBefore.get(0);
      changes.put(before.key().entityId(), count(before, -1));
    }
    if (!above.isEmpty()) {
      EntityRecord now = above.get(0);
      changes.put(now.key().entityId(), count(now, 1));
    }
    return List.copyOf(changes.values());
  }

  private static RecordChange check(EntityRecord ancestor) {
    return new RecordChange.Check(ancestor.key(), ancestor.version());
  }

  private static RecordChange count(EntityRecord parent, long delta) {
    return new RecordChange.AddChildren(parent.key(), delta, parent.version());
  }

  private static EntityRecord withParent(
      EntityRecord entity, @Nullable String parentId, List<String> ancestors) {
    return EntityChanges.with(
        entity,
        parentId,
        ancestors,
        entity.name(),
        entity.cascade(),
        entity.disabled(),
        entity.metadata());
  }
}
