package dev.millrace.admin;

import dev.millrace.core.spi.directory.JobRecord;
import java.time.Instant;
import java.util.Map;

/**
 * A job and its progress.
 *
 * @param id the id to resume it with
 * @param kind the kind of work
 * @param arguments the arguments of the work
 * @param examined the number of items examined
 * @param changed the number of them that were changed
 * @param isDone whether nothing remains to be done
 * @param startedAt the time of its start
 * @param updatedAt the time when its progress was last saved
 */
public record JobView(
    String id,
    String kind,
    Map<String, String> arguments,
    long examined,
    long changed,
    boolean isDone,
    Instant startedAt,
    Instant updatedAt) {
  /** The view of a record. */
  public static JobView of(JobRecord job) {
    return new JobView(
        job.key().id(),
        job.kind(),
        job.arguments(),
        job.examined(),
        job.changed(),
        job.done(),
        Instant.ofEpochMilli(job.startedAtMs()),
        Instant.ofEpochMilli(job.updatedAtMs()));
  }

  /**
   * The progress of work that is not a job: it is simply repeated. Its id is empty.
   *
   * @param now the current time
   */
  public static JobView unsaved(String kind, long examined, long changed, Instant now) {
    return new JobView("", kind, Map.of(), examined, changed, /* isDone= */ false, now, now);
  }

  /** The same, done. */
  public JobView asDone() {
    return new JobView(id, kind, arguments, examined, changed, true, startedAt, updatedAt);
  }
}
