package dev.millrace.admin.internal;

import dev.millrace.core.directory.JobRecord;
import dev.millrace.core.directory.RecordChange;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.directory.StoredRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who holds an entity: somebody who moves it, or the work that removes what is left of it.
 *
 * <p>To know how deep a tree is, its lowest entities must be looked at, and nobody may hang another
 * one below them until the tree is moved. So a mover first holds the entity, in one transaction
 * with raising its version. Whoever then wants to hang something below it, at any depth, reads its
 * version as one of the ancestors', looks for holds <em>after</em> that, and demands that version
 * when it writes. Either it finds the hold, or it read the version before the hold, and its write
 * is refused. No clock is involved; one is only used to let go of what a dead process held.
 */
final class Holds {
  /** After so long without an end, whoever held an entity is taken for dead. */
  static final long STALE_MS = 30_000;

  private static final String PREFIX = "entity:";

  private Holds() {}

  static String jobId(String entityId) {
    return PREFIX + entityId;
  }

  /** The holds of entities as they are now, those that have ended left out. */
  static Map<String, JobRecord> find(Scope scope, Collection<String> entityIds) {
    Map<String, RecordKey> keys = new HashMap<>();
    entityIds.forEach(id -> keys.put(id, key(scope, id)));
    Map<RecordKey, StoredRecord> found = scope.calls().lookup(keys.values());
    Map<String, JobRecord> holds = new HashMap<>();
    keys.forEach(
        (id, key) -> {
          if (found.get(key) instanceof JobRecord job && !job.done()) {
            holds.put(id, job);
          }
        });
    return holds;
  }

  /** The job in the place of a hold, ended or not; null when there is none. */
  static @Nullable JobRecord at(Scope scope, String entityId) {
    return (JobRecord) scope.calls().lookup(key(scope, entityId));
  }

  private static RecordKey key(Scope scope, String entityId) {
    return new RecordKey.Job(scope.id(), jobId(entityId));
  }

  static boolean isRemoval(JobRecord hold) {
    return hold.kind().equals(JobKind.ERASE_ENTITY.text());
  }

  /** Lets go of what dead movers hold. Whoever does live on is refused when it writes. */
  static void releaseStale(Scope scope, Collection<JobRecord> holds) {
    for (JobRecord hold : holds) {
      if (!isRemoval(hold) && isStale(scope, hold)) {
        release(scope, hold);
      }
    }
  }

  static boolean isStale(Scope scope, JobRecord hold) {
    return scope.tools().nowMs() - hold.updatedAtMs() > STALE_MS;
  }

  /** Lets go; that somebody else did so already is as good. */
  static void release(Scope scope, JobRecord hold) {
    scope.calls().commit(List.of(end(hold)));
  }

  static RecordChange end(JobRecord hold) {
    return new RecordChange.Delete(hold.key(), hold.version());
  }
}
