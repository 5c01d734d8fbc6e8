package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.Entity;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.Page;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.SystemSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a namespace as a source: the manifest that would change nothing. Parents
 * come before their children. Entities that only have limits, and no record, come last; they are
 * found by the resources with stored configuration.
 */
public final class NamespaceSource implements SpecSource {
  private final NamespaceAdmin namespace;

  public NamespaceSource(NamespaceAdmin namespace) {
    this.namespace = namespace;
  }

  @Override
  public ManifestHeader read(SpecSink sink) {
    SystemSettings settings = namespace.limits().settings();
    StoredLimits system = namespace.limits().get(LimitTarget.system()).orElse(null);
    sink.system(
        new SystemSpec(
            system == null ? null : system.limits(),
            settings.onUnavailable(),
            settings.auditRetentionDays()));
    List<String> resources = new ArrayList<>();
    Page.forEach(
        cursor -> namespace.limits().ofResources(Page.MAX_SIZE, cursor),
        stored -> {
          resources.add(stored.target().resource());
          sink.resource(stored.target().resource(), resource(stored));
        });
    Set<String> recorded = entities(sink);
    limitsOnly(sink, resources, recorded);
    return ManifestHeader.NONE;
  }

  /** Level by level, so that at most one level of the tree is in memory. */
  private Set<String> entities(SpecSink sink) {
    Set<String> seen = new HashSet<>();
    Deque<String> parents = new ArrayDeque<>();
    Page.forEach(
        cursor -> namespace.entities().roots(Page.MAX_SIZE, cursor),
        entity -> emit(sink, entity, seen, parents));
    while (!parents.isEmpty()) { // ends: the tree is finite, and no entity is passed on twice
      String parent = parents.remove();
      Page.forEach(
          cursor -> namespace.entities().children(parent, Page.MAX_SIZE, cursor),
          entity -> emit(sink, entity, seen, parents));
    }
    return seen;
  }

  private void emit(SpecSink sink, Entity entity, Set<String> seen, Deque<String> parents) {
    if (!seen.add(entity.id())) {
      return; // moved since it was listed
    }
    if (entity.children() > 0) {
      parents.add(entity.id());
    }
    EntitySpec limits = limits(entity.id());
    sink.entity(
        new EntitySpec(
            entity.id(),
            true,
            entity.name(),
            entity.parentId(),
            entity.cascade(),
            entity.disabled(),
            new TreeMap<>(entity.metadata()),
            limits.own(),
            limits.resources()));
  }

  private void limitsOnly(SpecSink sink, List<String> resources, Set<String> recorded) {
    Set<String> others = new HashSet<>();
    List<Function<@Nullable String, Page<StoredLimits>>> lists = new ArrayList<>();
    lists.add(cursor -> namespace.limits().ofEntities(Page.MAX_SIZE, cursor));
    for (String resource : resources) {
      lists.add(cursor -> namespace.limits().ofEntities(resource, Page.MAX_SIZE, cursor));
    }
    for (Function<@Nullable String, Page<StoredLimits>> list : lists) {
      Page.forEach(
          list,
          stored -> {
            String id = stored.target().entityId();
            if (!recorded.contains(id) && others.add(id)) {
              sink.entity(limits(id));
            }
          });
    }
  }

  /** An entity without a record, with all its stored limits. */
  private EntitySpec limits(String id) {
    TreeMap<String, LevelSpec> resources = new TreeMap<>();
    List<LevelSpec> own = new ArrayList<>();
    Page.forEach(
        cursor -> namespace.limits().ofEntity(id, Page.MAX_SIZE, cursor),
        stored -> {
          LevelSpec level = level(stored);
          if (stored.target().resource().isEmpty()) {
            own.add(level);
          } else {
            resources.put(stored.target().resource(), level);
          }
        });
    return new EntitySpec(
        id,
        false,
        null,
        null,
        false,
        null,
        null,
        own.isEmpty() ? LevelSpec.NOTHING : own.get(0),
        resources);
  }

  private static LevelSpec resource(StoredLimits stored) {
    LevelSpec level = level(stored);
    return new LevelSpec(level.limits(), level.global(), level.cascade(), stored.disabled());
  }

  /** Of shared limits only the whole is a desired state: the regions divide it. */
  private static LevelSpec level(StoredLimits stored) {
    LimitSet shared = stored.shared();
    LimitSet limits = stored.limits();
    if (shared == null || limits == null) {
      return new LevelSpec(limits, null, stored.cascade(), null);
    }
    List<Limit> own =
        limits.asList().stream().filter(limit -> shared.indexOf(limit.name()) < 0).toList();
    return new LevelSpec(own.isEmpty() ? null : LimitSet.of(own), shared, stored.cascade(), null);
  }
}
