package dev.millrace.admin.internal;

import dev.millrace.core.directory.ConfigRecord;
import dev.millrace.core.directory.JobRecord;
import dev.millrace.core.directory.RecordChange;
import dev.millrace.core.directory.RecordKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stays of a removed entity: see {@link EntityRemoval}. */
final class Tombstones {
  private Tombstones() {}

  static ConfigRecord of(Scope scope, String entityId, long version) {
    return new ConfigRecord(
        RecordKey.Config.ofEntity(scope.id(), entityId), version, null, null, false, null, null);
  }

  static @Nullable ConfigRecord find(Scope scope, String entityId) {
    return (ConfigRecord) scope.calls().lookup(RecordKey.Config.ofEntity(scope.id(), entityId));
  }

  /**
   * Removes configs; their versions go over to the tombstone in the same transaction, so that at no
   * moment any sum is less than before.
   */
  static void absorb(Scope scope, JobRecord job, String entityId, List<ConfigRecord> configs) {
    scope
        .tools()
        .retry()
        .until("delete configs of " + entityId, () -> attempt(scope, job, entityId, configs));
  }

  private static @Nullable Boolean attempt(
      Scope scope, JobRecord job, String entityId, List<ConfigRecord> configs) {
    Fence.check(scope, job);
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
    long version = before + now.stream().mapToLong(ConfigRecord::version).sum();
    List<RecordChange> changes = new ArrayList<>();
    changes.add(new RecordChange.Check(job.key(), job.version()));
    changes.add(new RecordChange.Put(of(scope, entityId, version), before));
    now.forEach(config -> changes.add(new RecordChange.Delete(config.key(), config.version())));
    return scope.calls().commit(changes) == null ? true : null;
  }
}
