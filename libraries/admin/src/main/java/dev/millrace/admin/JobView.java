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
 * @param done whether nothing remains to be done
 * @param startedAt the time of its start
 * @param updatedAt the time when its progress was last saved
 */
public record JobView(
    String id,
    String kind,
    Map<String, String> arguments,
    long examined,
    long changed,
    boolean done,
    Instant startedAt,
    Instant updatedAt) {
  static JobView of(JobRecord job) {
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
}
