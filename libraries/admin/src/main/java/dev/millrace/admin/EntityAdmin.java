package dev.millrace.admin;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.internal.Chains;
import dev.millrace.admin.internal.EntityChanges;
import dev.millrace.admin.internal.EntityCreation;
import dev.millrace.admin.internal.EntityMove;
import dev.millrace.admin.internal.EntityRemoval;
import dev.millrace.admin.internal.Hierarchy;
import dev.millrace.admin.internal.Listings;
import dev.millrace.admin.internal.Refusals;
import dev.millrace.admin.internal.Scope;
import dev.millrace.core.directory.EntityRecord;
import dev.millrace.core.directory.Listing;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.entity.Names;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a namespace: a forest of at most {@link #MAX_LEVELS} levels. What is refused
 * leaves nothing written; the checks hold whoever else changes the tree at the same time.
 */
public final class EntityAdmin {
  /** Most levels: an entity together with all its ancestors. */
  public static final int MAX_LEVELS = Hierarchy.MAX_LEVELS;

  private final Scope scope;

  EntityAdmin(Scope scope) {
    this.scope = scope;
  }

  /**
   * Creates an entity. An id that is taken, an unknown parent and too deep a tree are refused.
   * Limiters that have looked for it in vain learn of it when their caches forget that.
   */
  public Entity create(NewEntity entity) {
    return Entity.of(new EntityCreation(scope).create(entity));
  }

  /** Creates many entities: see {@link #createAll(List, Progress)}. */
  public BulkResult createAll(List<NewEntity> entities) {
    return createAll(entities, Progress.NONE);
  }

  /**
   * Creates many entities, as many as fit into each transaction. Parents may be among them, in any
   * order. Those that exist already are left as they are and reported, so an import that was
   * interrupted is simply run again. A refusal ends it where it is.
   */
  public BulkResult createAll(List<NewEntity> entities, Progress progress) {
    return new EntityCreation(scope).createAll(entities, progress);
  }

  /** The entity, empty when there is none. */
  public Optional<Entity> get(String entityId) {
    EntityRecord record = (EntityRecord) scope.calls().lookup(key(entityId));
    return Optional.ofNullable(record).map(Entity::of);
  }

  /** Those of many entities that there are, by id. */
  public Map<String, Entity> getAll(Collection<String> entityIds) {
    List<RecordKey> keys = entityIds.stream().map(this::key).toList();
    Map<String, Entity> found = new HashMap<>();
    scope
        .calls()
        .lookup(keys)
        .values()
        .forEach(
            record -> {
              Entity entity = Entity.of((EntityRecord) record);
              found.put(entity.id(), entity);
            });
    return found;
  }

  /** Changes name, cascade and metadata. */
  public ChangeResult update(String entityId, EntityUpdate update) {
    return new EntityChanges(scope).update(Names.requireEntityId(entityId), update, Progress.NONE);
  }

  /** Moves an entity, with everything below it, under {@code parentId}. */
  public ChangeResult move(String entityId, String parentId) {
    Names.requireEntityId(parentId);
    return new EntityMove(scope).move(Names.requireEntityId(entityId), parentId, Progress.NONE);
  }

  /** Moves an entity, with everything below it, to the top. */
  public ChangeResult moveToTop(String entityId) {
    return new EntityMove(scope).move(Names.requireEntityId(entityId), null, Progress.NONE);
  }

  /** Deletes an entity that owes nothing: see {@link #delete(String, boolean, Progress)}. */
  public JobResult delete(String entityId) {
    return delete(entityId, /* forgiveDebt= */ false, Progress.NONE);
  }

  /**
   * Deletes an entity with its limits, its usage and its buckets. It is gone for others at once;
   * removing the rest is work that can be resumed, also by calling this again. One with children is
   * refused.
   *
   * <p>Of an entity that was deleted, a small record stays that says nothing but how often it was
   * changed. A process that still remembers the entity's limits, for up to its cache's time, may
   * make a bucket with them. By that record everybody else knows better, and so does the entity
   * when it is created again.
   *
   * @param forgiveDebt whether to delete it even when buckets of it are below zero: were it created
   *     again, they would start full
   */
  public JobResult delete(String entityId, boolean forgiveDebt, Progress progress) {
    return new EntityRemoval(scope).remove(Names.requireEntityId(entityId), forgiveDebt, progress);
  }

  /** The children of an entity, by id. */
  public Page<Entity> children(String entityId, int pageSize, @Nullable String cursor) {
    Listing listing = new Listing.Children(scope.id(), Names.requireEntityId(entityId));
    return page(listing, pageSize, cursor, entityId);
  }

  /** The entities without a parent, by id. */
  public Page<Entity> roots(int pageSize, @Nullable String cursor) {
    return page(new Listing.Roots(scope.id()), pageSize, cursor, null);
  }

  /** The ancestors of an entity, the nearest first. */
  public List<Entity> ancestors(String entityId) {
    List<EntityRecord> chain = Chains.of(scope, Names.requireEntityId(entityId));
    if (chain.isEmpty()) {
      throw Refusals.of(Reason.UNKNOWN_ENTITY, "entity", entityId);
    }
    return chain.stream().skip(1).map(Entity::of).toList();
  }

  private Page<Entity> page(
      Listing listing, int pageSize, @Nullable String cursor, @Nullable String parentId) {
    return Listings.ofEntities(
        scope,
        listing,
        pageSize,
        cursor,
        this::key,
        EntityRecord.class,
        record -> Objects.equals(record.parentId(), parentId) ? Entity.of(record) : null);
  }

  private RecordKey key(String entityId) {
    return new RecordKey.Entity(scope.id(), entityId);
  }
}
