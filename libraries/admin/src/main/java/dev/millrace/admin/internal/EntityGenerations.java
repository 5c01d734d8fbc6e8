package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.NewEntity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The generations of entities to be created: first those whose parents are not among them, then
 * their children, and so on. A transaction cannot create an entity and also count its children.
 */
final class EntityGenerations {
  private EntityGenerations() {}

  static List<List<NewEntity>> of(List<NewEntity> entities) {
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
        throw ChangeRefusals.of(Reason.CYCLE, "entity", entity.id());
      }
      depth++;
      EntityCreation.requireDepth(entity.id(), depth + 1);
      above = above.parentId() == null ? null : byId.get(above.parentId());
    }
    return depth;
  }
}
