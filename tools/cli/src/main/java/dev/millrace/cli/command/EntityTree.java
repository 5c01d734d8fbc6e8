package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.Entity;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Page;
import dev.millrace.admin.StoredLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An entity with who is above it, who is directly below it, and what is stored about it.
 *
 * @param ancestors the nearest first
 * @param children the first of them
 * @param stored what is stored about it, at both levels
 */
record EntityTree(
    Entity entity, List<Entity> ancestors, List<Entity> children, List<StoredLimits> stored) {
  /** Most children and most limits that are shown. */
  private static final int MAX_SHOWN = 20;

  static EntityTree of(NamespaceAdmin namespace, Entity entity) {
    Page<Entity> children = namespace.entities().children(entity.id(), MAX_SHOWN, null);
    Page<StoredLimits> stored = namespace.limits().ofEntity(entity.id(), Page.MAX_SIZE, null);
    return new EntityTree(
        entity, namespace.entities().ancestors(entity.id()), children.items(), stored.items());
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = AdminJson.of(entity);
    json.put("ancestors", ancestors.stream().map(Entity::id).toList());
    json.put("firstChildren", children.stream().map(Entity::id).toList());
    json.put("stored", stored.stream().map(AdminJson::of).toList());
    return json;
  }

  List<String> text() {
    List<String> lines = new ArrayList<>();
    String indent = "";
    for (int i = ancestors.size() - 1; i >= 0; i--) {
      lines.add(indent + line(ancestors.get(i)));
      indent += "  ";
    }
    lines.add(indent + line(entity) + "   ←");
    for (Entity child : children) {
      lines.add(indent + "  " + line(child));
    }
    if (entity.children() > children.size()) {
      lines.add(indent + "  … " + (entity.children() - children.size()) + " more");
    }
    lines.add("");
    lines.add("created   " + entity.createdAt() + ", version " + entity.version());
    new TreeMap<>(entity.metadata())
        .forEach((key, value) -> lines.add("metadata  " + key + " = " + value));
    lines.add("");
    lines.addAll(stored.isEmpty() ? List.of("No limits of its own.") : LevelTable.of(stored));
    return lines;
  }

  private static String line(Entity entity) {
    return entity.id()
        + (entity.name().isEmpty() ? "" : " (" + entity.name() + ")")
        + (entity.cascade() ? ", draws on its parent" : "")
        + (entity.disabled() ? ", disabled" : "");
  }
}
