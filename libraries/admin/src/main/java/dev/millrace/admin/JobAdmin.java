package dev.millrace.admin;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.internal.JobRunner;
import dev.millrace.admin.internal.NamespaceScope;
import dev.millrace.core.spi.directory.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a namespace: long work that saves its progress. The process that began a job
 * continues it until it is done; when that process died, any other can resume the job. Two
 * processes that run the same job are harmless: the first to save its progress continues, the other
 * stops. Done jobs are deleted after a day.
 */
public final class JobAdmin {
  /** Most jobs that one call resumes. */
  public static final int MAX_RESUMED = 1_000;

  private final NamespaceScope scope;

  JobAdmin(NamespaceScope scope) {
    this.scope = scope;
  }

  /** The jobs that are not done yet, the oldest first. */
  public Page<JobView> unfinished(int pageSize, @Nullable String cursor) {
    Page<JobRecord> page = JobRunner.unfinished(scope, pageSize, cursor);
    return new Page<>(page.items().stream().map(JobView::of).toList(), page.cursor());
  }

  /** A job, empty when there is none or it was done long ago. */
  public Optional<JobView> get(String jobId) {
    return Optional.ofNullable(JobRunner.find(scope, JobRunner.requireId(jobId))).map(JobView::of);
  }

  /** Continues a job; one that is done stays so. */
  public JobView resume(String jobId, ProgressListener progress) {
    JobRecord job = JobRunner.find(scope, JobRunner.requireId(jobId));
    if (job == null) {
      throw ChangeRefusedException.of(Reason.UNKNOWN_JOB, "job", jobId);
    }
    return JobRunner.run(scope, job, progress);
  }

  /** Continues all jobs that are not done, one after the other, at most {@link #MAX_RESUMED}. */
  public List<JobView> resumeAll(ProgressListener progress) {
    List<JobView> results = new ArrayList<>();
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<JobRecord> page = JobRunner.unfinished(scope, Page.MAX_SIZE, cursor);
      for (JobRecord job : page.items()) {
        if (results.size() < MAX_RESUMED && JobRunner.isAbandoned(scope, job)) {
          results.add(JobRunner.run(scope, job, progress));
        }
      }
      cursor = page.cursor();
    } while (cursor != null && results.size() < MAX_RESUMED);
    return results;
  }
}
