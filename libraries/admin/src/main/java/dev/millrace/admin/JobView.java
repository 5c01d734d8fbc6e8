package dev.millrace.admin;

import dev.millrace.core.directory.JobRecord;
import java.time.Instant;
import java.util.Map;

/**
 * Long work and how far it is.
 *
 * @param id by which it is resumed
 * @param kind what is done
 * @param arguments with what
 * @param examined how many things were looked at
 * @param changed how many of them were changed
 * @param done whether nothing is left to do
 * @param startedAt when it began
 * @param updatedAt when it was last heard of
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
