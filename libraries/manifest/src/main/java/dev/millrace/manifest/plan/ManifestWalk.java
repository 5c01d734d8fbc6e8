package dev.millrace.manifest.plan;

import dev.millrace.admin.Entity;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ManagedPage;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.StoredLimits;
import dev.millrace.manifest.EntitySpec;
import dev.millrace.manifest.LevelSpec;
import dev.millrace.manifest.ManifestException;
import dev.millrace.manifest.ManifestOutline;
import dev.millrace.manifest.ManifestProblem;
import dev.millrace.manifest.SpecSink;
import dev.millrace.manifest.SpecSource;
import dev.millrace.manifest.SystemSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
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
  private final SpecSource source;
  private final ManifestOutline outline;
  private final ManifestDiff differ;
  private final List<ManagedPage> pages;

  /**
   * A traversal.
   *
   * @param pages the managed entries of the manifest, none when they are not recorded
   */
  ManifestWalk(
      NamespaceAdmin namespace,
      SpecSource source,
      ManifestOutline outline,
      ManifestDiff differ,
      List<ManagedPage> pages) {
    this.namespace = namespace;
    this.source = source;
    this.outline = outline;
    this.differ = differ;
    this.pages = pages;
  }

  /** Reports the differences, in batches; those of one entity are always together. */
  void run(Consumer<List<ChangeBatch>> each) {
    requireOutsideParents();
    levels(each);
    for (int generation = 0; generation < outline.generations(); generation++) {
      Entities entities = new Entities(generation, each);
      source.read(entities);
      entities.flush();
    }
    removedLevels(each);
    removedEntities(each);
  }

  private void requireOutsideParents() {
    Map<String, String> outside = outline.outsideParents();
    List<ManifestProblem> problems = new ArrayList<>();
    List<String> ids = new ArrayList<>(outside.keySet());
    for (int from = 0; from < ids.size(); from += AT_A_TIME) {
      List<String> part = ids.subList(from, Math.min(ids.size(), from + AT_A_TIME));
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

  private @Nullable String mark(String key) {
    return pages.isEmpty() ? null : pages.get(ManagedMarks.page(key)).marks().get(key);
  }

  private void levels(Consumer<List<ChangeBatch>> each) {
    List<LimitTarget> targets = new ArrayList<>();
    targets.add(LimitTarget.system());
    outline.resourceSpecs().keySet().forEach(name -> targets.add(LimitTarget.resource(name)));
    Map<LimitTarget, StoredLimits> live = namespace.limits().getAll(targets);
    List<ChangeBatch> batches = new ArrayList<>();
    SystemSpec system = outline.systemSpec();
    if (system != null) {
      StoredLimits there = live.get(LimitTarget.system());
      add(
          batches,
          "",
          false,
          differ.system(system, there, namespace.limits().settings(), mark(ManagedMarks.SYSTEM)));
    }
    outline
        .resourceSpecs()
        .forEach(
            (name, spec) -> {
              LimitTarget target = LimitTarget.resource(name);
              String mark = mark(ManagedMarks.level(target));
              add(batches, name, false, differ.level(target, spec, live.get(target), mark));
            });
    hand(batches, each);
  }

  private static void add(
      List<ChangeBatch> batches, String name, boolean ofEntity, List<ManifestChange> changes) {
    if (!changes.isEmpty()) {
      batches.add(new ChangeBatch(name, ofEntity, changes));
    }
  }

  private static void hand(List<ChangeBatch> batches, Consumer<List<ChangeBatch>> each) {
    if (!batches.isEmpty()) {
      each.accept(List.copyOf(batches));
    }
  }

  /** The entities of one generation. */
  private final class Entities implements SpecSink {
    private final int generation;
    private final Consumer<List<ChangeBatch>> each;
    private final List<EntitySpec> specs = new ArrayList<>();

    Entities(int generation, Consumer<List<ChangeBatch>> each) {
      this.generation = generation;
      this.each = each;
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
      List<ChangeBatch> batches = new ArrayList<>();
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
        add(batches, id, true, changes);
      }
      specs.clear();
      hand(batches, each);
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

  private void removedLevels(Consumer<List<ChangeBatch>> each) {
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
    List<ChangeBatch> batches = new ArrayList<>();
    removed.forEach(
        (target, mark) ->
            add(
                batches,
                target.resource(),
                false,
                differ.level(target, LevelSpec.NOTHING, live.get(target), mark)));
    hand(batches, each);
  }

  private void removedEntities(Consumer<List<ChangeBatch>> each) {
    for (ManagedPage page : pages) {
      TreeSet<String> ids = new TreeSet<>();
      for (String key : page.marks().keySet()) {
        if (ManagedMarks.isOfEntity(key) && !outline.names(ManagedMarks.subject(key))) {
          ids.add(ManagedMarks.subject(key));
        }
      }
      List<String> all = new ArrayList<>(ids);
      for (int from = 0; from < all.size(); from += AT_A_TIME) {
        removed(page, all.subList(from, Math.min(all.size(), from + AT_A_TIME)), each);
      }
    }
  }

  private void removed(ManagedPage page, List<String> ids, Consumer<List<ChangeBatch>> each) {
    List<LimitTarget> targets = new ArrayList<>();
    Map<String, List<String>> keys = new LinkedHashMap<>();
    ids.forEach(id -> keys.put(id, new ArrayList<>()));
    for (String key : page.marks().keySet()) {
      List<String> own = ManagedMarks.isOfEntity(key) ? keys.get(ManagedMarks.subject(key)) : null;
      if (own != null && !ManagedMarks.isEntity(key)) {
        own.add(key);
        targets.add(ManagedMarks.target(key));
      }
    }
    Map<String, Entity> entities = namespace.entities().getAll(ids);
    Map<LimitTarget, StoredLimits> live = namespace.limits().getAll(targets);
    List<ChangeBatch> batches = new ArrayList<>();
    keys.forEach(
        (id, levels) -> {
          boolean made = page.marks().containsKey(ManagedMarks.entity(id));
          List<ManifestChange> changes =
              new ArrayList<>(made ? differ.removed(id, entities.get(id)) : List.of());
          if (changes.isEmpty()) { // the limits of an entity are deleted with it
            for (String key : levels) {
              LimitTarget target = ManagedMarks.target(key);
              changes.addAll(
                  differ.level(target, LevelSpec.NOTHING, live.get(target), page.marks().get(key)));
            }
          }
          add(batches, id, true, changes);
        });
    hand(batches, each);
  }
}
