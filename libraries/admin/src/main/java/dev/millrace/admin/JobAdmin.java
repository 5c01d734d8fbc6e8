package dev.millrace.admin;

import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.admin.internal.JobList;
import dev.millrace.admin.internal.Jobs;
import dev.millrace.admin.internal.Refusals;
import dev.millrace.admin.internal.Scope;
import dev.millrace.core.directory.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Long work that was begun in a namespace. Whoever began it goes on with it until it is done; when
 * that process died, anybody can resume it where it was. Two who work at the same do no harm: the
 * first to save its progress goes on, the other one stops. Work that is done is forgotten after a
 * day.
 */
public final class JobAdmin {
  /** Most jobs that one call resumes. */
  public static final int MAX_RESUMED = 1_000;

  private final Scope scope;

  JobAdmin(Scope scope) {
    this.scope = scope;
  }

  /** What is not done yet, the oldest first. */
  public Page<JobView> unfinished(int pageSize, @Nullable String cursor) {
    Page<JobRecord> page = JobList.unfinished(scope, pageSize, cursor);
    return new Page<>(page.items().stream().map(JobView::of).toList(), page.cursor());
  }

  /** A job, empty when there is none or it was done long ago. */
  public Optional<JobView> get(String jobId) {
    return Optional.ofNullable(Jobs.find(scope, JobList.requireId(jobId))).map(JobView::of);
  }

  /** Goes on with a job; one that is done stays so. */
  public JobResult resume(String jobId, Progress progress) {
    JobRecord job = Jobs.find(scope, JobList.requireId(jobId));
    if (job == null) {
      throw Refusals.of(Reason.UNKNOWN_JOB, "job", jobId);
    }
    return Jobs.run(scope, job, progress);
  }

  /**
   * Goes on with everything that is not done, one after the other, at most {@link #MAX_RESUMED}.
   */
  public List<JobResult> resumeAll(Progress progress) {
    List<JobResult> results = new ArrayList<>();
    String cursor = null;
    do { // ends: every page moves the cursor
      Page<JobRecord> page = JobList.unfinished(scope, Page.MAX_SIZE, cursor);
      for (JobRecord job : page.items()) {
        if (results.size() < MAX_RESUMED && JobList.isAbandoned(scope, job)) {
          results.add(Jobs.run(scope, job, progress));
        }
      }
      cursor = page.cursor();
    } while (cursor != null && results.size() < MAX_RESUMED);
    return results;
  }
}
