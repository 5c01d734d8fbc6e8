package dev.millrace.manifest.internal;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.NamespaceAdmin;
import dev.millrace.admin.NewEntity;
import dev.millrace.admin.ProgressListener;
import dev.millrace.admin.SetOptions;
import dev.millrace.admin.internal.ManagedAdmin;
import dev.millrace.admin.internal.ManagedPage;
import dev.millrace.manifest.ChangeCounts;
import dev.millrace.manifest.NamespaceManifest.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application of a source to a namespace. A part that is up to date is not written, so a second
 * run writes nothing, and a run after one that died continues where that one was.
 *
 * <p>A managed entry is recorded before it is created, and its record is removed after the entry:
 * whenever the process dies, nothing that the manifest created is unrecorded. Jobs on buckets that
 * a dead process left are completed first. A refused change is reported and skipped; the others are
 * made.
 */
public final class ManifestApplier {
  /** Most changes that are made at the same time. */
  public static final int MAX_CONCURRENCY = 32;

  /** Most refusals that are reported. */
  static final int MAX_REFUSALS = 100;

  /** Most generations of entities that are removed, the youngest first: no tree is deeper. */
  private static final int MAX_REMOVAL_ROUNDS = 8;

  private final NamespaceAdmin namespace;
  private final ManifestOutline outline;
  private final @Nullable String manifest;
  private final SetOptions options;
  private final ExecutorService threads;
  private final Consumer<ChangeCounts> listener;
  private final List<String> refusals = new ArrayList<>();
  private final TreeSet<String> kept = new TreeSet<>();
  private final List<ConfigAction.Delete> deletions = new ArrayList<>();
  private ChangeCounts counts = ChangeCounts.NONE;
  private long refused;

  private ManifestApplier(
      NamespaceAdmin namespace,
      ManifestOutline outline,
      @Nullable String manifest,
      ExecutorService threads,
      Consumer<ChangeCounts> listener) {
    this.namespace = namespace;
    this.outline = outline;
    this.manifest = manifest;
    this.options = new SetOptions(outline.header().allowOtherPeriods(), ProgressListener.NONE);
    this.threads = threads;
    this.listener = listener;
  }

  /**
   * Applies a source.
   *
   * @param manifest the name under which the managed entries of the source are recorded, null for
   *     no record: then nothing is ever removed
   * @param concurrency most changes that are made at the same time
   * @param listener receives the changes made so far; an exception that it throws ends the work,
   *     which can be run again
   */
  public static Result of(
      NamespaceAdmin namespace,
      ManifestOutline outline,
      @Nullable String manifest,
      int concurrency,
      Consumer<ChangeCounts> listener) {
    if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
      throw new IllegalArgumentException(
          "concurrency " + concurrency + " must be from 1 to " + MAX_CONCURRENCY);
    }
    ExecutorService threads = Executors.newFixedThreadPool(concurrency);
    try {
      return new ManifestApplier(namespace, outline, manifest, threads, listener).run();
    } finally {
      threads.shutdownNow();
    }
  }

  private Result run() {
    namespace.jobs().resumeAll(ProgressListener.NONE);
    ManagedAdmin managed = manifest == null ? null : namespace.managed(manifest);
    List<ManagedPage> before = managed == null ? List.of() : managed.pages();
    List<SortedMap<String, String>> wanted =
        managed == null ? List.of() : ManagedMarks.Wanted.of(outline.source());
    List<ManagedPage> ahead = new ArrayList<>(before);
    if (managed != null) {
      for (int number = 0; number < ahead.size(); number++) {
        SortedMap<String, String> both = new TreeMap<>(before.get(number).marks());
        wanted
            .get(number)
            .forEach((key, value) -> both.put(key, ManagedMarks.pending(both.get(key), value)));
        ahead.set(number, saved(managed, before.get(number), both));
      }
    }
    new ManifestWalk(namespace, outline, new ManifestDiff(manifest), before, this::make).run();
    remove();
    if (managed != null) {
      forget(managed, ahead, wanted);
      if (counts.all() > 0) {
        managed.applied(summary());
      }
    }
    return new Result(counts, refusals, refused);
  }

  private static ManagedPage saved(
      ManagedAdmin managed, ManagedPage page, SortedMap<String, String> marks) {
    return marks.equals(page.marks()) ? page : managed.save(page, marks);
  }

  private void forget(
      ManagedAdmin managed, List<ManagedPage> pages, List<SortedMap<String, String>> wanted) {
    for (int number = 0; number < pages.size(); number++) {
      SortedMap<String, String> left = new TreeMap<>(wanted.get(number));
      pages
          .get(number)
          .marks()
          .forEach(
              (key, value) -> {
                if (kept.contains(ManagedMarks.subject(key))) {
                  left.put(key, value);
                }
              });
      saved(managed, pages.get(number), left);
    }
  }

  private Map<String, String> summary() {
    Map<String, String> summary = new HashMap<>();
    counts.byName().forEach((name, count) -> summary.put(name, String.valueOf(count)));
    summary.put("refused", String.valueOf(refused));
    return summary;
  }

  private void make(List<ManifestWalk.ChangeBatch> batches) {
    create(batches);
    List<Future<?>> running = new ArrayList<>();
    for (ManifestWalk.ChangeBatch batch : batches) {
      running.add(threads.submit(() -> makeEach(batch)));
    }
    await(running);
    for (ManifestWalk.ChangeBatch batch : batches) {
      counts = counts.plus(batch.counts());
    }
    listener.accept(counts);
  }

  /** Creates all new entities, in as few transactions as they fit into. */
  private void create(List<ManifestWalk.ChangeBatch> batches) {
    List<NewEntity> entities = new ArrayList<>();
    for (ManifestWalk.ChangeBatch batch : batches) {
      for (ManifestChange change : batch.changes()) {
        if (change.action() instanceof ConfigAction.Create create) {
          entities.add(create.entity());
        }
      }
    }
    if (!entities.isEmpty()) {
      namespace.entities().createAll(entities);
    }
  }

  private void makeEach(ManifestWalk.ChangeBatch batch) {
    for (ManifestChange change : batch.changes()) {
      if (change.action() instanceof ConfigAction.Delete delete) {
        later(delete);
      } else {
        make(batch.name(), change);
      }
    }
  }

  private synchronized void later(ConfigAction.Delete delete) {
    deletions.add(delete);
  }

  private void make(String name, ManifestChange change) {
    try {
      change.action().run(namespace, options);
    } catch (ChangeRefusedException | IllegalArgumentException e) {
      refuse(name, change.subject() + ": " + e.getMessage());
    }
  }

  private synchronized void refuse(String name, String why) {
    refused++;
    if (refusals.size() < MAX_REFUSALS) {
      refusals.add(why);
    }
    kept.add(name);
  }

  private static void await(List<Future<?>> running) {
    try {
      for (Future<?> each : running) {
        each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted; run it again to continue", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * Removes entities, children before their parents: entities with children wait for a later round.
   */
  private void remove() {
    List<ConfigAction.Delete> left = deletions;
    for (int round = 1; round <= MAX_REMOVAL_ROUNDS && !left.isEmpty(); round++) {
      List<ConfigAction.Delete> waiting = new ArrayList<>();
      for (ConfigAction.Delete delete : left) {
        try {
          delete.run(namespace, options);
        } catch (ChangeRefusedException e) {
          if (e.reason() == ChangeRefusedException.Reason.HAS_CHILDREN
              && round < MAX_REMOVAL_ROUNDS) {
            waiting.add(delete);
          } else {
            refuse(delete.entityId(), "entity " + delete.entityId() + ": " + e.getMessage());
          }
        }
      }
      left = waiting;
    }
  }
}
