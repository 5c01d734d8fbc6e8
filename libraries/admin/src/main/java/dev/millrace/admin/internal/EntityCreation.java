package dev.millrace.admin.internal;

import dev.millrace.admin.BulkResult;
import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.JobView;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The creation of entities, several in one transaction. Each transaction requires the versions of
 * all ancestors as they were read, so that none of them has moved when the new entity is below it.
 */
public final class EntityCreation {
  /** Most entities of one transaction: each is written with its audit event. */
  static final int MAX_PER_TRANSACTION =
      (StoreCall.Transaction.MAX_ACTIONS - AncestorChains.MAX_LEVELS) / 2;

  /**
   * Most characters of names and metadata in one transaction: with three bytes each, and once more
   * in the audit event, they are within the four megabytes that DynamoDB allows.
   */
  static final long MAX_CHARACTERS = 500_000;

  private final NamespaceScope scope;

  public EntityCreation(NamespaceScope scope) {
    this.scope = scope;
  }

  public EntityRecord create(NewEntity entity) {
    CreationResult created = createTogether(List.of(entity));
    if (!created.existing().isEmpty()) {
      throw ChangeRefusedException.of(Reason.ENTITY_EXISTS, "entity", entity.id());
    }
    return created.records().get(0);
  }

  /** Creates many entities, parents before their children, given in any order. */
  public BulkResult createAll(List<NewEntity> entities, ProgressListener progress) {
    long created = 0;
    long examined = 0;
    List<String> existing = new ArrayList<>();
    for (List<NewEntity> generation : generations(entities)) {
      for (List<NewEntity> part : parts(generation)) {
        CreationResult result = createFitting(part);
        created += result.records().size();
        existing.addAll(result.existing());
        examined += part.size();
        progress.at(
            JobView.unsaved(
                "entity.create", examined, created, Instant.ofEpochMilli(scope.nowMs())));
      }
    }
    return new BulkResult(created, existing);
  }

  /**
   * The generations of entities to be created: first those whose parents are not among them, then
   * their children, and so on. A transaction cannot create an entity and also count its children.
   */
  private static List<List<NewEntity>> generations(List<NewEntity> entities) {
    Map<String, NewEntity> byId = new HashMap<>();
    for (NewEntity entity : entities) {
      if (byId.put(entity.id(), entity) != null) {
        throw new IllegalArgumentException("entity '" + entity.id() + "' is given twice");
      }
    }
    List<List<NewEntity>> generations = new ArrayList<>();
    for (NewEntity entity : entities) {
      int depth = depth(entity, byId);
      while (generations.size() <= depth) {
        generations.add(new ArrayList<>());
      }
      generations.get(depth).add(entity);
    }
    return generations;
  }

  /** The number of its ancestors that are to be created too. */
  private static int depth(NewEntity entity, Map<String, NewEntity> byId) {
    Set<String> passed = new HashSet<>();
    int depth = 0;
    NewEntity above = entity.parentId() == null ? null : byId.get(entity.parentId());
    while (above != null) {
      if (!passed.add(above.id())) {
        throw ChangeRefusedException.of(Reason.CYCLE, "entity", entity.id());
      }
      depth++;
      requireDepth(entity.id(), depth + 1);
      above = above.parentId() == null ? null : byId.get(above.parentId());
    }
    return depth;
  }

  /** As many as fit into a transaction, by number and by size. */
  private static List<List<NewEntity>> parts(List<NewEntity> entities) {
    List<List<NewEntity>> parts = new ArrayList<>();
    List<NewEntity> part = new ArrayList<>();
    long characters = 0;
    for (NewEntity entity : entities) {
      long more = characters(entity);
      if (part.size() == MAX_PER_TRANSACTION || characters + more > MAX_CHARACTERS) {
        parts.add(part);
        part = new ArrayList<>();
        characters = 0;
      }
      part.add(entity);
      characters += more;
    }
    parts.add(part);
    parts.removeIf(List::isEmpty);
    return parts;
  }

  private static long characters(NewEntity entity) {
    long characters = entity.name().length();
    for (Map.Entry<String, String> each : entity.metadata().entrySet()) {
      characters += each.getKey().length() + each.getValue().length();
    }
    return characters;
  }

  /**
   * The result of one transaction.
   *
   * @param tooMany nothing was created, because the transaction would be too large; one entity
   *     always fits
   */
  private record CreationResult(
      List<EntityRecord> records, List<String> existing, boolean tooMany) {
    static final CreationResult TOO_MANY = new CreationResult(List.of(), List.of(), true);

    CreationResult(List<EntityRecord> records, List<String> existing) {
      this(new ArrayList<>(records), new ArrayList<>(existing), false);
    }
  }

  /** In one transaction, or in two when the ancestors alone are too many for one. */
  private CreationResult createFitting(List<NewEntity> entities) {
    CreationResult together = scope.retry("create entities", () -> attempt(entities));
    if (!together.tooMany()) {
      return together;
    }
    int half = entities.size() / 2;
    CreationResult both = createFitting(entities.subList(0, half));
    CreationResult second = createFitting(entities.subList(half, entities.size()));
    both.records().addAll(second.records());
    both.existing().addAll(second.existing());
    return both;
  }

  private CreationResult createTogether(List<NewEntity> entities) {
    return scope.retry("create " + entities.get(0).id(), () -> attempt(entities));
  }

  private @Nullable CreationResult attempt(List<NewEntity> entities) {
    Set<String> ids = new LinkedHashSet<>();
    entities.forEach(entity -> ids.add(entity.id()));
    Set<String> wanted = new LinkedHashSet<>(ids);
    entities.stream().map(NewEntity::parentId).filter(Objects::nonNull).forEach(wanted::add);
    AncestorChains chains = AncestorChains.read(scope, wanted);
    List<String> existing = ids.stream().filter(id -> chains.find(id) != null).toList();
    List<NewEntity> absent = entities.stream().filter(e -> !existing.contains(e.id())).toList();
    if (absent.isEmpty()) {
      return new CreationResult(List.of(), existing);
    }
    Map<String, EntityRecord> above = requireParents(absent, chains);
    Set<String> held = new HashSet<>(above.keySet());
    absent.forEach(entity -> held.add(entity.id()));
    if (!areFree(held)) {
      return null;
    }
    Map<String, ConfigRecord> stones = stones(absent);
    List<EntityRecord> records =
        absent.stream()
            .map(entity -> record(entity, chains, firstVersion(stones.get(entity.id()))))
            .toList();
    List<RecordChange> changes = changes(records, above);
    // If one is created and removed meanwhile, its floor has changed.
    stones
        .values()
        .forEach(stone -> changes.add(new RecordChange.Check(stone.key(), stone.version())));
    if (changes.size() > StoreCall.Transaction.MAX_ACTIONS) {
      return CreationResult.TOO_MANY;
    }
    return scope.commit(changes) == null ? new CreationResult(records, existing) : null;
  }

  /** Checks the parents and returns all ancestors by id. */
  private static Map<String, EntityRecord> requireParents(
      List<NewEntity> entities, AncestorChains chains) {
    Map<String, EntityRecord> above = new LinkedHashMap<>();
    for (NewEntity entity : entities) {
      String parentId = entity.parentId();
      if (parentId != null) {
        List<EntityRecord> chain = chains.of(parentId);
        if (parentId.equals(entity.id())) {
          throw ChangeRefusedException.of(Reason.CYCLE, "entity", entity.id(), "parent", parentId);
        }
        if (chain.isEmpty()) {
          throw ChangeRefusedException.of(
              Reason.UNKNOWN_PARENT, "entity", entity.id(), "parent", parentId);
        }
        requireDepth(entity.id(), chain.size() + 1);
        chain.forEach(record -> above.put(record.key().entityId(), record));
      }
    }
    return above;
  }

  static void requireDepth(String entityId, int levels) {
    if (levels > AncestorChains.MAX_LEVELS) {
      throw ChangeRefusedException.of(
          Reason.TOO_DEEP, "entity", entityId, "levels", levels, "most", AncestorChains.MAX_LEVELS);
    }
  }

  /**
   * Whether none of these is being moved or removed; holds left by a dead process are released
   * first.
   */
  private boolean areFree(Set<String> entityIds) {
    Map<String, JobRecord> holds = EntityHolds.find(scope, entityIds);
    for (JobRecord hold : holds.values()) {
      // The remains of an entity must be gone before another one gets its id.
      if (EntityHolds.isRemoval(hold) && EntityHolds.isStale(scope, hold)) {
        JobRunner.run(scope, hold, ProgressListener.NONE);
      }
    }
    EntityHolds.releaseStale(scope, holds.values());
    return holds.isEmpty();
  }

  private Map<String, ConfigRecord> stones(List<NewEntity> entities) {
    Map<String, ConfigRecord> stones = new HashMap<>();
    List<RecordKey> keys =
        entities.stream()
            .<RecordKey>map(entity -> RecordKey.Config.ofEntity(scope.id(), entity.id()))
            .toList();
    for (StoredRecord found : scope.lookup(keys).values()) {
      ConfigRecord config = (ConfigRecord) found;
      if (config.versionFloor() > 0) {
        stones.put(config.key().entityId(), config);
      }
    }
    return stones;
  }

  /**
   * The version with which an entity begins: above all versions that its id ever had. A change
   * based on a read from before the deletion must not change the entity that has the id now.
   */
  private static long firstVersion(@Nullable ConfigRecord stone) {
    return stone == null ? 1 : stone.versionFloor() + 1;
  }

  private EntityRecord record(NewEntity entity, AncestorChains chains, long version) {
    String parentId = entity.parentId();
    return new EntityRecord(
        new RecordKey.Entity(scope.id(), entity.id()),
        version,
        entity.name(),
        parentId,
        parentId == null ? List.of() : AncestorChains.ids(chains.of(parentId)),
        entity.cascade(),
        /* disabled= */ false,
        entity.metadata(),
        scope.nowMs(),
        /* children= */ 0);
  }

  private List<RecordChange> changes(List<EntityRecord> records, Map<String, EntityRecord> above) {
    List<RecordChange> changes = new ArrayList<>();
    Map<String, Long> children = new LinkedHashMap<>();
    for (EntityRecord record : records) {
      changes.add(new RecordChange.Put(record, RecordChange.Put.ABSENT));
      changes.add(
          scope.audit(
              AuditSubjects.ofEntity(record.key().entityId()),
              "entity.create",
              Map.of(),
              AuditFields.of(record)));
      if (record.parentId() != null) {
        children.merge(record.parentId(), 1L, Long::sum);
      }
    }
    above.forEach(
        (id, ancestor) -> {
          Long count = children.get(id);
          changes.add(
              count == null
                  ? new RecordChange.Check(ancestor.key(), ancestor.version())
                  : new RecordChange.AddChildren(ancestor.key(), count, ancestor.version()));
        });
    return changes;
  }
}
