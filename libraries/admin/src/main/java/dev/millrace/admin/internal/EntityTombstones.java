package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The record that stays of a removed entity: see {@link EntityRemoval}. */
final class EntityTombstones {
  private EntityTombstones() {}

  /**
   * The tombstone of an entity.
   *
   * @param before the entity's configuration, null for none
   * @param removedVersion the latest version among the records that are removed
   */
  static ConfigRecord of(
      NamespaceScope scope, String entityId, @Nullable ConfigRecord before, long removedVersion) {
    ConfigRecord of =
        before == null
            ? ConfigRecord.empty(RecordKey.Config.ofEntity(scope.id(), entityId))
            : before;
    return of.asTombstone(removedVersion);
  }

  static @Nullable ConfigRecord find(NamespaceScope scope, String entityId) {
    return (ConfigRecord) scope.calls().lookup(RecordKey.Config.ofEntity(scope.id(), entityId));
  }

  /**
   * Removes configs; the tombstone's floor is raised above their versions in the same transaction,
   * so that no version is ever lower than before.
   */
  static void absorb(
      NamespaceScope scope, JobRecord job, String entityId, List<ConfigRecord> configs) {
    scope
        .tools()
        .retry()
        .until("delete configs of " + entityId, () -> attempt(scope, job, entityId, configs));
  }

  private static @Nullable Boolean attempt(
      NamespaceScope scope, JobRecord job, String entityId, List<ConfigRecord> configs) {
    JobFence.check(scope, job);
    ConfigRecord stone = find(scope, entityId);
    List<ConfigRecord> now = new ArrayList<>();
    scope
        .calls()
        .lookup(configs.stream().map(ConfigRecord::key).toList())
        .values()
        .forEach(record -> now.add((ConfigRecord) record));
    if (now.isEmpty()) {
      return true;
    }
    long before = stone == null ? 0 : stone.version();
    long removed = now.stream().mapToLong(ConfigRecord::version).max().orElse(0);
    List<RecordChange> changes = new ArrayList<>();
    changes.add(new RecordChange.Check(job.key(), job.version()));
    changes.add(new RecordChange.Put(of(scope, entityId, stone, removed), before));
    now.forEach(config -> changes.add(new RecordChange.Delete(config.key(), config.version())));
    return scope.calls().commit(changes) == null ? true : null;
  }
}
