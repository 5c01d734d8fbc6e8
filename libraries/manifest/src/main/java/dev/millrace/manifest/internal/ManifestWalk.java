package dev.millrace.manifest.internal;

import dev.millrace.admin.Entity;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.StoredLimits;
import dev.millrace.admin.internal.ManagedPage;
import dev.millrace.manifest.ChangeCounts;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestProblem;
import dev.millrace.manifest.internal.ManifestChange.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A traversal of a source and of the current state, a hundred entities at a time, that reports the
 * differences: weaker levels before stronger ones, parents before their children, and last the
 * entries that are no longer desired. The source is read once for each generation of its tree, so
 * that no more than those hundred are in memory.
 */
final class ManifestWalk {
  /** The number of entities compared at a time: as many as one read returns. */
  static final int AT_A_TIME = 100;

  private static final int MAX_PROBLEMS = 50;

  private final NamespaceAdmin namespace;
  private final ManifestOutline outline;
  private final ManifestDiff differ;
  private final List<ManagedPage> pages; // none when managed entries are not recorded
  private final Consumer<List<ChangeBatch>> each;
  private final List<ChangeBatch> batches = new ArrayList<>();

  /** A traversal that reports batches; those of one entity are always together. */
  ManifestWalk(
      NamespaceAdmin namespace,
      ManifestOutline outline,
      ManifestDiff differ,
      List<ManagedPage> pages,
      Consumer<List<ChangeBatch>> each) {
    this.namespace = namespace;
    this.outline = outline;
    this.differ = differ;
    this.pages = pages;
    this.each = each;
  }

  void run() {
    requireOutsideParents();
    levels();
    for (int generation = 0; generation < outline.generations(); generation++) {
      Entities entities = new Entities(generation);
      outline.source().read(entities);
      entities.flush();
    }
    removedLevels();
    removedEntities();
  }

  private void requireOutsideParents() {
    Map<String, String> outside = outline.outsideParents();
    List<ManifestProblem> problems = new ArrayList<>();
    for (List<String> part : parts(outside.keySet())) {
      Map<String, Entity> found = namespace.entities().getAll(part);
      for (String parent : part) {
        if (!found.containsKey(parent) && problems.size() < MAX_PROBLEMS) {
          String child = String.valueOf(outside.get(parent));
          problems.add(
              new ManifestProblem(
                  outline.line(child),
                  1,
                  "entities." + child + ".parent",
                  parent,
                  "is neither in the manifest nor in the table"));
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new ManifestException(problems);
    }
  }

  private static List<List<String>> parts(Collection<String> ids) {
    List<String> all = List.copyOf(ids);
    return IntStream.iterate(0, from -> from < all.size(), from -> from + AT_A_TIME)
        .mapToObj(from -> all.subList(from, Math.min(all.size(), from + AT_A_TIME)))
        .toList();
  }

  private @Nullable String mark(String key) {
    return pages.isEmpty() ? null : pages.get(ManagedMarks.page(key)).marks().get(key);
  }

  private void levels() {
    List<LimitTarget> targets = new ArrayList<>();
    targets.add(LimitTarget.system());
    outline.resourceSpecs().keySet().forEach(name -> targets.add(LimitTarget.resource(name)));
    Map<LimitTarget, StoredLimits> live = namespace.limits().getAll(targets);
    SystemSpec system = outline.systemSpec();
    if (system != null) {
      StoredLimits there = live.get(LimitTarget.system());
      String mark = mark(ManagedMarks.SYSTEM);
      add("", false, differ.system(system, there, namespace.limits().settings(), mark));
    }
    outline
        .resourceSpecs()
        .forEach(
            (name, spec) -> {
              LimitTarget target = LimitTarget.resource(name);
              String mark = mark(ManagedMarks.level(target));
              add(name, false, differ.level(target, spec, live.get(target), mark));
            });
    report();
  }

  private void add(String name, boolean ofEntity, List<ManifestChange> changes) {
    if (!changes.isEmpty()) {
      batches.add(new ChangeBatch(name, ofEntity, changes));
    }
  }

  private void report() {
    if (!batches.isEmpty()) {
      each.accept(List.copyOf(batches));
      batches.clear();
    }
  }

  /** The entities of one generation. */
  private final class Entities implements SpecSink {
    private final int generation;
    private final List<EntitySpec> specs = new ArrayList<>();

    Entities(int generation) {
      this.generation = generation;
    }

    @Override
    public void entity(EntitySpec spec) {
      if (outline.generation(spec.id()) == generation) {
        specs.add(spec);
        if (specs.size() == AT_A_TIME) {
          flush();
        }
      }
    }

    void flush() {
      Map<String, SortedMap<String, LevelSpec>> named = new LinkedHashMap<>();
      List<LimitTarget> targets = new ArrayList<>();
      for (EntitySpec spec : specs) {
        SortedMap<String, LevelSpec> resources = withForgotten(spec);
        named.put(spec.id(), resources);
        targets.add(LimitTarget.entity(spec.id()));
        for (String resource : resources.keySet()) {
          targets.add(LimitTarget.entityResource(spec.id(), resource));
        }
      }
      Map<String, Entity> entities = namespace.entities().getAll(named.keySet());
      Map<LimitTarget, StoredLimits> live = namespace.limits().getAll(targets);
      for (EntitySpec spec : specs) {
        String id = spec.id();
        List<ManifestChange> changes =
            new ArrayList<>(differ.entity(spec, entities.get(id), mark(ManagedMarks.entity(id))));
        level(changes, LimitTarget.entity(id), spec.own(), live);
        named
            .getOrDefault(id, new TreeMap<>())
            .forEach(
                (resource, level) ->
                    level(changes, LimitTarget.entityResource(id, resource), level, live));
        add(id, true, changes);
      }
      specs.clear();
      report();
    }

    private void level(
        List<ManifestChange> changes,
        LimitTarget target,
        LevelSpec wanted,
        Map<LimitTarget, StoredLimits> live) {
      String mark = mark(ManagedMarks.level(target));
      changes.addAll(differ.level(target, wanted, live.get(target), mark));
    }

    /** The resources that are named for an entity, and those that were before. */
    private SortedMap<String, LevelSpec> withForgotten(EntitySpec spec) {
      SortedMap<String, LevelSpec> resources = new TreeMap<>(spec.resources());
      if (!pages.isEmpty()) {
        String first = ManagedMarks.levelsOf(spec.id());
        String end = first.substring(0, first.length() - 1) + (char) (' ' + 1);
        for (String key :
            pages.get(ManagedMarks.page(first.strip())).marks().subMap(first, end).keySet()) {
          resources.putIfAbsent(ManagedMarks.target(key).resource(), LevelSpec.NOTHING);
        }
      }
      return resources;
    }
  }

  private void removedLevels() {
    Map<LimitTarget, String> removed = new LinkedHashMap<>();
    for (ManagedPage page : pages) {
      page.marks()
          .forEach(
              (key, value) -> {
                if (!ManagedMarks.isOfEntity(key)
                    && !outline.namesLevel(ManagedMarks.subject(key))) {
                  removed.put(ManagedMarks.target(key), value);
                }
              });
    }
    Map<LimitTarget, StoredLimits> live = namespace.limits().getAll(removed.keySet());
    removed.forEach(
        (target, mark) ->
            add(
                target.resource(),
                false,
                differ.level(target, LevelSpec.NOTHING, live.get(target), mark)));
    report();
  }

  private void removedEntities() {
    for (ManagedPage page : pages) {
      SortedMap<String, List<String>> keys = new TreeMap<>(); // of entities that are not named
      for (String key : page.marks().keySet()) {
        if (ManagedMarks.isOfEntity(key) && !outline.names(ManagedMarks.subject(key))) {
          keys.computeIfAbsent(ManagedMarks.subject(key), id -> new ArrayList<>()).add(key);
        }
      }
      parts(keys.keySet()).forEach(ids -> removed(page, ids, keys));
    }
  }

  private void removed(ManagedPage page, List<String> ids, Map<String, List<String>> keys) {
    List<LimitTarget> targets = new ArrayList<>();
    for (String id : ids) {
      levels(keys, id).forEach(key -> targets.add(ManagedMarks.target(key)));
    }
    Map<String, Entity> entities = namespace.entities().getAll(ids);
    Map<LimitTarget, StoredLimits> live = namespace.limits().getAll(targets);
    for (String id : ids) {
      boolean made = page.marks().containsKey(ManagedMarks.entity(id));
      List<ManifestChange> changes =
          new ArrayList<>(made ? differ.removed(id, entities.get(id)) : List.of());
      if (changes.isEmpty()) { // the limits of an entity are deleted with it
        for (String key : levels(keys, id)) {
          LimitTarget target = ManagedMarks.target(key);
          changes.addAll(
              differ.level(target, LevelSpec.NOTHING, live.get(target), page.marks().get(key)));
        }
      }
      add(id, true, changes);
    }
    report();
  }

  private static List<String> levels(Map<String, List<String>> keys, String id) {
    return keys.getOrDefault(id, List.of()).stream()
        .filter(key -> !ManagedMarks.isEntity(key))
        .toList();
  }

  /**
   * Changes of one entity or of one resource, in the order in which they must be made.
   *
   * @param name of the entity or of the resource, empty for the namespace itself
   * @param ofEntity whether it is the name of an entity
   */
  record ChangeBatch(String name, boolean ofEntity, List<ManifestChange> changes) {
    ChangeCounts counts() {
      long drifted = changes.stream().filter(ManifestChange::drift).count();
      return new ChangeCounts(
          count(Kind.ADD),
          count(Kind.CHANGE),
          count(Kind.REMOVE),
          count(Kind.IMPOSSIBLE),
          drifted,
          ofEntity ? 1 : 0);
    }

    private long count(Kind kind) {
      return changes.stream().filter(change -> change.kind() == kind).count();
    }
  }
}
