package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeRefusedException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.JobView;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.NamespaceRecord.State;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of namespaces: always both records, by name and by id, and the event. */
public final class NamespaceChanges {
  private static final String PURGE = "purge:";

  private final NamespaceScope scope;

  public NamespaceChanges(NamespaceScope scope) {
    this.scope = scope;
  }

  /** The namespace of a name, null when there is none. */
  public @Nullable NamespaceRecord find(String name) {
    return (NamespaceRecord) scope.lookup(new RecordKey.NamespaceByName(name));
  }

  /** Registers a name under an unused id; only the default namespace has a fixed one. */
  public NamespaceRecord register(String name) {
    String id =
        name.equals(NamespaceScope.DEFAULT) ? NamespaceScope.DEFAULT : scope.tools().ids.opaque();
    NamespaceRecord byName =
        new NamespaceRecord(
            new RecordKey.NamespaceByName(name),
            /* version= */ 1,
            name,
            id,
            State.ACTIVE,
            scope.nowMs());
    List<RecordChange> changes =
        List.of(
            new RecordChange.Put(byName, RecordChange.Put.ABSENT),
            new RecordChange.Put(byId(byName), RecordChange.Put.ABSENT),
            scope.audit(
                AuditSubjects.ofNamespace(name),
                "namespace.register",
                Map.of(),
                AuditFields.of(byName)));
    if (scope.commit(changes) != null) {
      throw ChangeRefusedException.of(Reason.NAMESPACE_EXISTS, "namespace", name);
    }
    return byName;
  }

  /** Refuses all look-ups from now on; the data stays. */
  public NamespaceRecord delete(String name) {
    return change(name, "namespace.delete", State.ACTIVE, State.DELETED);
  }

  public NamespaceRecord recover(String name) {
    return change(name, "namespace.recover", State.DELETED, State.ACTIVE);
  }

  private NamespaceRecord change(String name, String action, State from, State to) {
    return scope.retry(
        action + " " + name,
        () -> {
          NamespaceRecord before = require(name, from);
          NamespaceRecord after = in(before, to);
          return scope.commit(changes(action, before, after)) == null ? after : null;
        });
  }

  private NamespaceRecord require(String name, State state) {
    NamespaceRecord record = find(name);
    if (record == null) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_NAMESPACE, "namespace", name);
    }
    if (record.state() != state) {
      throw ChangeRefusedException.of(
          Reason.NAMESPACE_STATE, "namespace", name, "state", record.state(), "needed", state);
    }
    return record;
  }

  private NamespaceRecord in(NamespaceRecord before, State state) {
    return new NamespaceRecord(
        before.key(), before.version() + 1, before.name(), before.id(), state, scope.nowMs());
  }

  private List<RecordChange> changes(String action, NamespaceRecord before, NamespaceRecord after) {
    List<RecordChange> changes = new ArrayList<>();
    changes.add(new RecordChange.Put(after, before.version()));
    changes.add(new RecordChange.Put(byId(after), before.version()));
    changes.add(
        scope.audit(
            AuditSubjects.ofNamespace(before.name()),
            action,
            AuditFields.of(before),
            AuditFields.of(after)));
    return changes;
  }

  private static NamespaceRecord byId(NamespaceRecord byName) {
    return new NamespaceRecord(
        new RecordKey.NamespaceById(byName.id()),
        byName.version(),
        byName.name(),
        byName.id(),
        byName.state(),
        byName.changedAtMs());
  }

  /** Removes all data of a namespace that was deleted long enough ago, or continues that. */
  public JobView purge(String name, ProgressListener progress) {
    JobRecord job = scope.retry("purge " + name, () -> beginPurge(name));
    return JobRunner.run(scope, job, progress);
  }

  private @Nullable JobRecord beginPurge(String name) {
    NamespaceRecord before = find(name);
    boolean begun = before != null && before.state() == State.PURGING;
    if (before == null || !begun) {
      before = require(name, State.DELETED);
      requireOldEnough(before);
    }
    JobRecord known = JobRunner.find(scope, PURGE + before.id());
    if (begun && known != null && !known.done()) {
      return known;
    }
    JobRecord job =
        JobRunner.begin(
            scope,
            PURGE + before.id(),
            JobKind.PURGE_NAMESPACE,
            Map.of("name", name, "id", before.id()),
            known == null ? 0 : known.version());
    List<RecordChange> changes =
        begun ? new ArrayList<>() : changes("namespace.purge", before, in(before, State.PURGING));
    changes.add(JobRunner.put(job));
    return scope.commit(changes) == null ? job : null;
  }

  private void requireOldEnough(NamespaceRecord deleted) {
    Duration purgeAfter = scope.options().purgeAfter();
    Duration age = Duration.ofMillis(scope.nowMs() - deleted.changedAtMs());
    if (age.compareTo(purgeAfter) < 0) {
      throw ChangeRefusedException.of(
          Reason.PURGE_TOO_EARLY,
          "namespace",
          deleted.name(),
          "deletedFor",
          age,
          "purgeAfter",
          purgeAfter);
    }
  }
}
