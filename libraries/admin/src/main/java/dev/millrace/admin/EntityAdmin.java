package dev.millrace.admin;

import dev.millrace.NameRules;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.internal.AncestorChains;
import dev.millrace.admin.internal.EntityChanges;
import dev.millrace.admin.internal.EntityCreation;
import dev.millrace.admin.internal.EntityMove;
import dev.millrace.admin.internal.EntityRemoval;
import dev.millrace.admin.internal.ListingPages;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a namespace: a forest of at most {@link #MAX_LEVELS} levels. A refused change
 * writes nothing; the checks hold under concurrent changes of the tree.
 */
public final class EntityAdmin {
  /** Most levels: an entity together with all its ancestors. */
  public static final int MAX_LEVELS = AncestorChains.MAX_LEVELS;

  private final NamespaceScope scope;

  EntityAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /**
   * Creates an entity. An id that exists, an unknown parent and a tree that would be too deep are
   * refused. Limiters that have cached its absence find it when that entry expires.
   */
  public Entity create(NewEntity entity) {
    return Entity.of(new EntityCreation(scope).create(entity));
  }

  /** Creates many entities: see {@link #createAll(List, ProgressListener)}. */
  public BulkResult createAll(List<NewEntity> entities) {
    return createAll(entities, ProgressListener.NONE);
  }

  /**
   * Creates many entities, as many as fit into each transaction. Parents may be among them, in any
   * order. Existing entities are left unchanged and reported, so an interrupted import can simply
   * be run again. A refusal ends the import at that point.
   */
  public BulkResult createAll(List<NewEntity> entities, ProgressListener progress) {
    return new EntityCreation(scope).createAll(entities, progress);
  }

  /** The entity, empty when there is none. */
  public Optional<Entity> get(String entityId) {
    EntityRecord record = (EntityRecord) scope.lookup(key(entityId));
    return Optional.ofNullable(record).map(Entity::of);
  }

  /** Those of many entities that exist, by id. */
  public Map<String, Entity> getAll(Collection<String> entityIds) {
    List<RecordKey> keys = entityIds.stream().map(this::key).toList();
    Map<String, Entity> found = new HashMap<>();
    scope
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
    return new EntityChanges(scope)
        .update(NameRules.requireEntityId(entityId), update, ProgressListener.NONE);
  }

  /**
   * Disables or enables an entity. A disabled one refuses every acquire of it, and every acquire
   * that is charged to it, with an answer of its own; limits and balances stay. Every existing
   * bucket is updated before the call returns.
   */
  public ChangeResult setDisabled(String entityId, boolean disabled) {
    return new EntityChanges(scope)
        .disable(NameRules.requireEntityId(entityId), disabled, ProgressListener.NONE);
  }

  /** Moves an entity, with all its descendants, under {@code parentId}. */
  public ChangeResult move(String entityId, String parentId) {
    NameRules.requireEntityId(parentId);
    return new EntityMove(scope)
        .move(NameRules.requireEntityId(entityId), parentId, ProgressListener.NONE);
  }

  /** Moves an entity, with all its descendants, to the top. */
  public ChangeResult moveToTop(String entityId) {
    return new EntityMove(scope)
        .move(NameRules.requireEntityId(entityId), null, ProgressListener.NONE);
  }

  /** Deletes an entity without debt: see {@link #delete(String, boolean, ProgressListener)}. */
  public JobView delete(String entityId) {
    return delete(entityId, /* forgiveDebt= */ false, ProgressListener.NONE);
  }

  /**
   * Deletes an entity with its limits, its usage and its buckets. It disappears at once; removing
   * its data is a job that can be resumed, also by calling this again. An entity with children is
   * refused.
   *
   * <p>A small record remains of a deleted entity, with the number of its changes and nothing else.
   * A process that still has the entity's limits in its cache may create a bucket with them. By
   * that record all other processes, and the entity when it is created again, recognise the bucket
   * as outdated.
   *
   * @param forgiveDebt whether to delete it even when some of its buckets are below zero: were it
   *     created again, they would start full
   */
  public JobView delete(String entityId, boolean forgiveDebt, ProgressListener progress) {
    return new EntityRemoval(scope)
        .remove(NameRules.requireEntityId(entityId), forgiveDebt, progress);
  }

  /** The children of an entity, by id. */
  public Page<Entity> children(String entityId, int pageSize, @Nullable String cursor) {
    Listing listing = new Listing.Children(scope.id(), NameRules.requireEntityId(entityId));
    return page(listing, pageSize, cursor, entityId);
  }

  /** The entities without a parent, by id. */
  public Page<Entity> roots(int pageSize, @Nullable String cursor) {
    return page(new Listing.Roots(scope.id()), pageSize, cursor, null);
  }

  /** The ancestors of an entity, the nearest first. */
  public List<Entity> ancestors(String entityId) {
    List<EntityRecord> chain = AncestorChains.of(scope, NameRules.requireEntityId(entityId));
    if (chain.isEmpty()) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_ENTITY, "entity", entityId);
    }
    return chain.stream().skip(1).map(Entity::of).toList();
  }

  private Page<Entity> page(
      Listing listing, int pageSize, @Nullable String cursor, @Nullable String parentId) {
    return ListingPages.ofEntities(
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
