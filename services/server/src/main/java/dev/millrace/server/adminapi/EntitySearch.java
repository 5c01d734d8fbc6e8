package dev.millrace.server.adminapi;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.Entity;
import dev.millrace.admin.EntityAdmin;
import dev.millrace.admin.Page;
import dev.millrace.core.internal.NameRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds entities by how their id begins. The table has an index from parents to children and none
 * over all ids, so the tree is walked from the top, for as many entities as {@link #MAX_SEARCHED};
 * the one whose whole id was given is found by its key. What was not looked at is admitted.
 */
final class EntitySearch {
  /** Most entities that one search looks at. */
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

  static Map<String, @Nullable Object> find(EntityAdmin entities, String prefix, int most) {
    EntitySearch search = new EntitySearch(entities, prefix, most);
    search.run();
    List<Object> items = new ArrayList<>();
    search.found.values().stream().limit(most).forEach(entity -> items.add(AdminJson.of(entity)));
    Map<String, @Nullable Object> list = Lists.of(items, null);
    list.put("complete", search.complete && search.found.size() <= most);
    return list;
  }

  private interface Pages {
    Page<Entity> after(@Nullable String cursor);
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

  private void walk(Pages pages) {
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<Entity> page = pages.after(cursor);
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
