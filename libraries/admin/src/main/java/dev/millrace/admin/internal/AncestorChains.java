package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entities and their current ancestors. The ancestors in an entity's own record only save round
 * trips: each parent is read and followed.
 */
public final class AncestorChains {
  /** Most levels: an entity together with its ancestors. */
  public static final int MAX_LEVELS = EntityRecord.MAX_ANCESTORS;

  private final NamespaceScope scope;
  private final Map<String, @Nullable EntityRecord> seen = new HashMap<>();

  private AncestorChains(NamespaceScope scope) {
    this.scope = scope;
  }

  /**
   * Reads all of these entities and their ancestors, in two round trips unless an ancestor has
   * moved since.
   */
  static AncestorChains read(NamespaceScope scope, Collection<String> entityIds) {
    AncestorChains chains = new AncestorChains(scope);
    Set<String> wanted = new LinkedHashSet<>(entityIds);
    for (int round = 0; !wanted.isEmpty(); round++) {
      if (round > MAX_LEVELS) {
        throw new TornReadException();
      }
      chains.lookup(wanted);
      wanted = chains.missing(entityIds);
    }
    return chains;
  }

  /** One entity and its ancestors, the nearest first; empty when there is no such entity. */
  public static List<EntityRecord> of(NamespaceScope scope, String entityId) {
    return scope.retry(
        "ancestors of " + entityId, () -> read(scope, List.of(entityId)).of(entityId));
  }

  private void lookup(Set<String> entityIds) {
    Map<String, RecordKey> keys = new HashMap<>();
    entityIds.forEach(id -> keys.put(id, new RecordKey.Entity(scope.id(), id)));
    Map<RecordKey, StoredRecord> found = scope.lookup(keys.values());
    keys.forEach((id, key) -> seen.put(id, (EntityRecord) found.get(key)));
  }

  /** The ids to look up next: the known ancestors, and the expected ones. */
  private Set<String> missing(Collection<String> entityIds) {
    Set<String> known = new LinkedHashSet<>();
    Set<String> guessed = new LinkedHashSet<>();
    for (String entityId : entityIds) {
      Set<String> passed = new HashSet<>();
      String id = entityId;
      while (id != null && seen.containsKey(id) && passed.add(id)) { // ends: no id is passed twice
        EntityRecord record = seen.get(id);
        id = record == null ? null : record.parentId();
        if (record != null) {
          guessed.addAll(record.ancestorsHint());
        }
      }
      if (id != null && !seen.containsKey(id)) {
        known.add(id);
      }
    }
    if (!known.isEmpty()) {
      guessed.removeAll(seen.keySet());
      known.addAll(guessed);
    }
    return known;
  }

  /** A requested entity, or an ancestor of one; null when there is none. */
  @Nullable EntityRecord find(String entityId) {
    return seen.get(entityId);
  }

  /** An entity and its ancestors, the nearest first; empty when there is no such entity. */
  List<EntityRecord> of(String entityId) {
    List<EntityRecord> chain = new ArrayList<>();
    EntityRecord record = seen.get(entityId);
    while (record != null) {
      if (chain.size() > MAX_LEVELS) {
        throw new TornReadException();
      }
      chain.add(record);
      String parentId = record.parentId();
      record = parentId == null ? null : seen.get(parentId);
    }
    return chain;
  }

  /**
   * Entities were moved while they were read, so that the records do not form a tree. {@link
   * OptimisticRetry} reads again; it never leaves this package.
   */
  static final class TornReadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TornReadException() {
      super("entities were moved while they were read", null, false, false);
    }
  }

  static List<String> ids(List<EntityRecord> chain) {
    return chain.stream().map(record -> record.key().entityId()).toList();
  }
}
