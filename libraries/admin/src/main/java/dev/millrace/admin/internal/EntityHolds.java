package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The holds on entities: a move in progress, or the removal of an entity's data.
 *
 * <p>To measure the depth of a tree, its lowest entities must be read, and none may be added below
 * them until the tree is moved. So a move first holds the entity, in one transaction with raising
 * its version. A process that wants to add an entity below it, at any depth, reads its version as
 * one of the ancestors', looks for holds <em>after</em> that, and requires that version when it
 * writes. Either it finds the hold, or it read the version before the hold, and its write is
 * refused. No clock is involved; one is used only to release the holds of dead processes.
 */
final class EntityHolds {
  /** The time after which the process that holds an entity counts as dead. */
  static final long STALE_MS = 30_000;

  private static final String PREFIX = "entity:";

  private EntityHolds() {}

  static String jobId(String entityId) {
    return PREFIX + entityId;
  }

  /** The current holds on entities, without those that have ended. */
  static Map<String, JobRecord> find(NamespaceScope scope, Collection<String> entityIds) {
    Map<String, RecordKey> keys = new HashMap<>();
    entityIds.forEach(id -> keys.put(id, key(scope, id)));
    Map<RecordKey, StoredRecord> found = scope.lookup(keys.values());
    Map<String, JobRecord> holds = new HashMap<>();
    keys.forEach(
        (id, key) -> {
          if (found.get(key) instanceof JobRecord job && !job.done()) {
            holds.put(id, job);
          }
        });
    return holds;
  }

  /** The job at the place of a hold, ended or not; null when there is none. */
  static @Nullable JobRecord at(NamespaceScope scope, String entityId) {
    return (JobRecord) scope.lookup(key(scope, entityId));
  }

  private static RecordKey key(NamespaceScope scope, String entityId) {
    return new RecordKey.Job(scope.id(), jobId(entityId));
  }

  static boolean isRemoval(JobRecord hold) {
    return hold.kind().equals(JobKind.ERASE_ENTITY.text());
  }

  /** Releases the holds of dead moves. A move that is still alive is refused when it writes. */
  static void releaseStale(NamespaceScope scope, Collection<JobRecord> holds) {
    for (JobRecord hold : holds) {
      if (!isRemoval(hold) && isStale(scope, hold)) {
        release(scope, hold);
      }
    }
  }

  static boolean isStale(NamespaceScope scope, JobRecord hold) {
    return scope.nowMs() - hold.updatedAtMs() > STALE_MS;
  }

  /** Releases a hold; one that is already released is fine. */
  static void release(NamespaceScope scope, JobRecord hold) {
    scope.commit(List.of(end(hold)));
  }

  static RecordChange end(JobRecord hold) {
    return new RecordChange.Delete(hold.key(), hold.version());
  }
}
