package dev.millrace.admin.internal;

import dev.millrace.admin.ChangeResult;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.RecordChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change that was written.
 *
 * @param changed whether anything differs from before
 * @param job the job that brings existing buckets to the change, null when it concerns none
 */
record ChangeOutcome(boolean changed, @Nullable JobRecord job) {
  /**
   * Writes a changed record with its audit event and its job; without a difference only the job.
   * Null when another writer was first.
   */
  static @Nullable ChangeOutcome write(
      NamespaceScope scope,
      RecordChange.Put put,
      String subject,
      String action,
      Map<String, String> before,
      Map<String, String> after,
      @Nullable JobRecord job) {
    boolean changed = !before.equals(after);
    List<RecordChange> changes = new ArrayList<>();
    if (changed) {
      changes.add(put);
      changes.add(scope.audit(subject, action, before, after));
    }
    if (job != null) {
      changes.add(JobRunner.put(job));
    }
    boolean written = changes.isEmpty() || scope.commit(changes) == null;
    return written ? new ChangeOutcome(changed, job) : null;
  }

  /** Runs the job. */
  ChangeResult run(NamespaceScope scope, ProgressListener progress) {
    return new ChangeResult(changed, job == null ? null : JobRunner.run(scope, job, progress));
  }
}
