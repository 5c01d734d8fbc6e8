package dev.millrace.admin.internal;

import dev.millrace.core.spi.directory.JobRecord;
import java.util.Arrays;

/** The kinds of jobs, each with its work, which is done in slices. */
enum JobKind {
  /** Updates the shards of one bucket to the configuration in effect. */
  REFRESH_BUCKET("refresh.bucket", RefreshWork::bucket),

  /** The same for all buckets of an entity. */
  REFRESH_ENTITY("refresh.entity", RefreshWork::entity),

  /** The same for all buckets of a resource. */
  REFRESH_RESOURCE("refresh.resource", RefreshWork::resource),

  /** The same for all buckets of a namespace. */
  REFRESH_NAMESPACE("refresh.namespace", RefreshWork::namespace),

  /** Keeps the tree below an entity as it is while the entity is moved; ends with its process. */
  HOLD_ENTITY("entity.move", (scope, job) -> JobRunner.Slice.last(0, 0)),

  /** Removes everything of an entity. */
  ERASE_ENTITY("entity.delete", EntityErasure::next),

  /** Removes everything of a namespace. */
  PURGE_NAMESPACE("namespace.purge", NamespacePurge::namespace),

  /** Removes everything of a namespace that is not registered. */
  PURGE_ORPHANS("orphans.purge", NamespacePurge::orphans),

  /** An operation on a bucket that was done; nothing remains to be done. */
  OPERATION("operation", (scope, job) -> JobRunner.Slice.last(0, 0));

  private final String text;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
  private final Work work;

  JobKind(String text, Work work) {
    this.text = text;
    this.work = work;
  }

  private interface Work {
    JobRunner.Slice next(NamespaceScope scope, JobRecord job);
  }

  /** Does the next slice, after the cursor of the job. Repeating a slice is harmless. */
  JobRunner.Slice next(NamespaceScope scope, JobRecord job) {
    return work.next(scope, job);
  }

  String text() {
    return text;
  }

  static JobKind of(String text) {
    return Arrays.stream(values())
        .filter(kind -> kind.text.equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("job kind '" + text + "' is not known"));
  }
}
