package dev.millrace.server.adminapi;

import dev.millrace.NameRules;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityAdmin;
import dev.millrace.admin.Page;
import dev.millrace.admin.internal.AdminJson;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A search for entities by a prefix of their id. The table has an index from parents to children
 * and none over all ids, so the search walks the tree from its roots, through at most {@link
 * #MAX_SEARCHED} entities; an entity whose whole id is the prefix is found by its key. The result
 * says whether it is complete.
 */
final class EntitySearch {
  /** Most entities that one search reads. */
  static final int MAX_SEARCHED = 2_000;

  private final EntityAdmin entities;
  private final String prefix;
  private final int most;
  private final Map<String, Entity> found = new TreeMap<>();
  private final Deque<String> parents = new ArrayDeque<>();
  private int searched;
  private boolean complete = true;

  private EntitySearch(EntityAdmin entities, String prefix, int most) {
    this.entities = entities;
    this.prefix = NameRules.requireEntityId(prefix);
    this.most = most;
  }

  /** The entities that were found; the cursor is always null. */
  record Result(List<?> items, @Nullable String cursor, boolean complete) {}

  static Result find(EntityAdmin entities, String prefix, int most) {
    EntitySearch search = new EntitySearch(entities, prefix, most);
    search.run();
    return new Result(
        search.found.values().stream().limit(most).map(AdminJson::of).toList(),
        null,
        search.complete && search.found.size() <= most);
  }

  private void run() {
    entities.get(prefix).ifPresent(entity -> found.put(entity.id(), entity));
    walk(cursor -> entities.roots(Page.MAX_SIZE, cursor));
    while (!parents.isEmpty() && !isEnough()) {
      String parent = parents.remove();
      walk(cursor -> entities.children(parent, Page.MAX_SIZE, cursor));
    }
    complete &= parents.isEmpty();
  }

  private void walk(Function<@Nullable String, Page<Entity>> pages) {
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<Entity> page = pages.apply(cursor);
      for (Entity entity : page.items()) {
        searched++;
        if (entity.id().startsWith(prefix)) {
          found.put(entity.id(), entity);
        }
        if (entity.children() > 0) {
          parents.add(entity.id());
        }
      }
      cursor = page.cursor();
    } while (cursor != null && !isEnough());
    complete &= cursor == null;
  }

  private boolean isEnough() {
    return searched >= MAX_SEARCHED || found.size() > most;
  }
}
