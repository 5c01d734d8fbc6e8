package dev.millrace.manifest.internal;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The structure of a manifest: its entities, their parents, and the checks of its consistency. It
 * holds the id of each entity, its parent and its depth, so that a manifest of a hundred thousand
 * entities needs some tens of megabytes, without their limits.
 */
public final class ManifestOutline implements SpecSink {
  /** Most entities of one manifest. */
  public static final int MAX_ENTITIES = 100_000;

  /** Most resources of one manifest. */
  public static final int MAX_RESOURCES = 10_000;

  /** Most levels of the tree of entities. */
  static final int MAX_LEVELS = 8;

  private static final int MAX_PROBLEMS = 50;

  private final Map<String, @Nullable String> parents = new HashMap<>();
  private final Map<String, Integer> depths = new HashMap<>();
  private final Map<String, Integer> lines = new HashMap<>();
  private final Set<String> unrecorded = new HashSet<>();
  private final SortedMap<String, LevelSpec> resources = new TreeMap<>();
  private final Periods periods = new Periods();
  private final List<ManifestProblem> problems = new ArrayList<>();
  private @Nullable SystemSpec system;
  private boolean weakerLast;
  private final SpecSource source;
  private ManifestHeader header = ManifestHeader.NONE;
  private int line;
  private int column = 1;

  private ManifestOutline(SpecSource source) {
    this.source = source;
  }

  /**
   * Reads all of a source and checks it.
   *
   * @throws ManifestException when any of it is wrong
   */
  public static ManifestOutline of(SpecSource source) {
    ManifestOutline outline = new ManifestOutline(source);
    outline.header = source.read(outline);
    if (outline.weakerLast) {
      outline.problems.clear();
      source.read(outline.periods);
    }
    if (outline.header.allowOtherPeriods()) {
      outline.problems.clear();
    }
    outline.checkTree();
    if (!outline.problems.isEmpty()) {
      throw new ManifestException(outline.problems);
    }
    return outline;
  }

  SpecSource source() {
    return source;
  }

  public ManifestHeader header() {
    return header;
  }

  public boolean names(String entityId) {
    return parents.containsKey(entityId);
  }

  /** Whether the manifest names a resource; an empty name stands for the namespace. */
  public boolean namesLevel(String resource) {
    return resource.isEmpty() ? system != null : resources.containsKey(resource);
  }

  /** The desired state of the namespace, null when there is none. */
  public @Nullable SystemSpec systemSpec() {
    return system;
  }

  public SortedMap<String, LevelSpec> resourceSpecs() {
    return Collections.unmodifiableSortedMap(resources);
  }

  public int entities() {
    return parents.size();
  }

  public int resources() {
    return resources.size();
  }

  /** The number of generations: parents are created before their children. */
  public int generations() {
    return depths.values().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
  }

  /** The generation of an entity, 0 for those whose parent is not in the manifest. */
  public int generation(String entityId) {
    return depths.getOrDefault(entityId, 0);
  }

  public int line(String entityId) {
    return lines.getOrDefault(entityId, 0);
  }

  /** Parents that are named and not in the manifest, each with one of its children. */
  public Map<String, String> outsideParents() {
    Map<String, String> outside = new LinkedHashMap<>();
    parents.forEach(
        (id, parent) -> {
          if (parent != null && !parents.containsKey(parent)) {
            outside.put(parent, id);
          }
        });
    return outside;
  }

  @Override
  public void at(int atLine, int atColumn) {
    line = atLine;
    column = atColumn;
  }

  @Override
  public void system(SystemSpec spec) {
    system = spec;
    weakerLast |= !parents.isEmpty() || !resources.isEmpty();
  }

  @Override
  public void resource(String name, LevelSpec spec) {
    resources.put(name, spec);
    weakerLast |= !parents.isEmpty();
    periods.resource(name, spec);
    if (resources.size() > MAX_RESOURCES) {
      throw tooMany("resources", MAX_RESOURCES);
    }
  }

  @Override
  public void entity(EntitySpec spec) {
    parents.put(spec.id(), spec.parent());
    lines.put(spec.id(), line);
    periods.entity(spec);
    if (!spec.recorded()) {
      unrecorded.add(spec.id());
    }
    if (parents.size() > MAX_ENTITIES) {
      throw tooMany("entities", MAX_ENTITIES);
    }
  }

  private ManifestException tooMany(String path, int most) {
    return new ManifestException(
        List.of(
            new ManifestProblem(
                line,
                column,
                path,
                "",
                "more than " + most + ": divide it into manifests with names")));
  }

  private @Nullable LimitSet systemLimits() {
    return system == null ? null : system.limits();
  }

  private @Nullable LimitSet resourceLimits(String resource) {
    LevelSpec spec = resources.get(resource);
    return spec == null ? null : all(spec);
  }

  private static @Nullable LimitSet all(LevelSpec spec) {
    List<Limit> limits = new ArrayList<>();
    if (spec.limits() != null) {
      limits.addAll(spec.limits().asList());
    }
    if (spec.global() != null) {
      limits.addAll(spec.global().asList());
    }
    return limits.isEmpty() ? null : LimitSet.of(limits);
  }

  private void checkTree() {
    for (String id : parents.keySet()) {
      int depth = 0;
      String above = parents.get(id);
      while (above != null && parents.containsKey(above) && depth <= MAX_LEVELS) {
        depth++;
        if (unrecorded.contains(above)) {
          add(id, "parent '" + above + "' has limits only: make it an entity");
        }
        above = parents.get(above);
      }
      if (depth >= MAX_LEVELS) {
        add(id, "is its own ancestor, or deeper than " + MAX_LEVELS + " levels");
      }
      depths.put(id, depth);
    }
  }

  private void add(String id, String rule) {
    if (problems.size() < MAX_PROBLEMS) {
      int at = lines.getOrDefault(id, 0);
      String parent = String.valueOf(parents.get(id));
      problems.add(new ManifestProblem(at, 1, "entities." + id + ".parent", parent, rule));
    }
  }

  /**
   * A limit of the same name must mean the same at all levels. That is checked while reading when
   * the weaker levels come first; otherwise the source is read once more.
   */
  private final class Periods implements SpecSink {
    @Override
    public void at(int atLine, int atColumn) {
      ManifestOutline.this.at(atLine, atColumn);
    }

    @Override
    public void resource(String name, LevelSpec spec) {
      compare("resources." + name, all(spec), systemLimits(), "system");
    }

    @Override
    public void entity(EntitySpec spec) {
      String path = "entities." + spec.id();
      compare(path, all(spec.own()), systemLimits(), "system");
      spec.resources()
          .forEach(
              (resource, level) -> {
                String at = path + ".resources." + resource;
                compare(at, all(level), systemLimits(), "system");
                compare(at, all(level), resourceLimits(resource), "resource " + resource);
                compare(at, all(level), all(spec.own()), "entity " + spec.id());
              });
    }

    private void compare(
        String path, @Nullable LimitSet limits, @Nullable LimitSet weaker, String where) {
      if (limits == null || weaker == null) {
        return;
      }
      for (Limit limit : limits) {
        int index = weaker.indexOf(limit.name());
        if (index >= 0
            && weaker.get(index).refill().periodMs() != limit.refill().periodMs()
            && problems.size() < MAX_PROBLEMS) {
          problems.add(
              new ManifestProblem(
                  line,
                  column,
                  path + ".limits",
                  limit.toString(),
                  "has another refill period than "
                      + weaker.get(index)
                      + " of "
                      + where
                      + ": rename it, or set allowOtherPeriods: true"));
        }
      }
    }
  }
}
