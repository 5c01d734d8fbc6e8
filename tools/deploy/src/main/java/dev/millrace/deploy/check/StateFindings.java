package dev.millrace.deploy.check;

import dev.millrace.admin.JobView;
import dev.millrace.admin.OrphanReport;
import dev.millrace.core.spi.directory.SchemaRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is wrong with what a table holds, and with the clock of who looks. Pure. */
final class StateFindings {
  /** Longest time between two signs of life of long work; a hold of an entity takes seconds. */
  static final Duration MAX_SILENCE = Duration.ofMinutes(5);

  /** A limiter corrects its clock from here on; a reply tells whole seconds. */
  static final Duration SLIGHTLY_OFF = Duration.ofSeconds(2);

  /** Beyond this a limiter does not believe a timestamp. */
  static final Duration WILDLY_OFF = Duration.ofSeconds(10);

  private StateFindings() {}

  static Optional<Finding> version(@Nullable SchemaRecord schema) {
    if (schema == null) {
      return Optional.of(
          Finding.warning(
              "no-version",
              "the table does not say which version it is",
              "software of another version would not notice",
              "run 'millrace deploy --wait', or TableAdmin.createIfMissing"));
    }
    if (schema.version() < SchemaRecord.SUPPORTED) {
      return Optional.of(
          Finding.error(
              "stale-version",
              "the table is of version %d, this software of version %d"
                  .formatted(schema.version(), SchemaRecord.SUPPORTED),
              "what older versions left may not be found, or is looked for with every new bucket",
              "finish the migration: 'millrace migrate'"));
    }
    if (schema.version() > SchemaRecord.SUPPORTED) {
      return Optional.of(
          Finding.error(
              "newer-version",
              "the table is of version %d, this software only of version %d"
                  .formatted(schema.version(), SchemaRecord.SUPPORTED),
              "this software would write what the newer one does not expect, so it refuses",
              "upgrade Millrace here"));
    }
    return Optional.empty();
  }

  static Optional<Finding> clock(Instant own, Instant theirs) {
    Duration off = Duration.between(theirs, own);
    if (off.abs().compareTo(SLIGHTLY_OFF) < 0) {
      return Optional.empty();
    }
    String what =
        "this machine's clock is %d s %s"
            .formatted(off.abs().toSeconds(), off.isNegative() ? "behind" : "ahead");
    String why = "every second of difference between writers is a second's refill too much";
    String todo = "run a time daemon, here and on every host that acquires";
    return Optional.of(
        off.abs().compareTo(WILDLY_OFF) < 0
            ? Finding.warning("clock-off", what, why, todo)
            : Finding.error("clock-off", what, why, todo));
  }

  static List<Finding> locks(String namespace, List<JobView> unfinished, Instant now) {
    List<Finding> findings = new ArrayList<>();
    for (JobView job : unfinished) {
      Duration silent = Duration.between(job.updatedAt(), now);
      if (silent.compareTo(MAX_SILENCE) > 0) {
        findings.add(
            Finding.warning(
                "expired-lock",
                "%s %s of the namespace %s was last heard of %d min ago"
                    .formatted(job.kind(), job.id(), namespace, silent.toMinutes()),
                "whoever worked at it is dead: a change has not reached all buckets, or an entity"
                    + " cannot be moved",
                "resume it: jobs().resumeAll of the administration"));
      }
    }
    return findings;
  }

  static List<Finding> orphans(OrphanReport report) {
    List<Finding> findings = new ArrayList<>();
    new TreeMap<>(report.items())
        .forEach(
            (id, items) ->
                findings.add(
                    Finding.warning(
                        "orphaned-namespace",
                        "%d items belong to the id %s, which no namespace has".formatted(items, id),
                        "nobody can reach them, and they are paid for",
                        "make sure that nobody writes them, then purge the orphans of " + id)));
    if (report.itemsOfOthers() > 0) {
      findings.add(
          Finding.warning(
              "orphaned-namespace",
              report.itemsOfOthers() + " items belong to further ids that no namespace has",
              "nobody can reach them, and they are paid for",
              "purge those that are named, then check again"));
    }
    return findings;
  }

  static Finding halfNamespace(String name, String id) {
    return Finding.error(
        "half-namespace",
        "the namespace %s has the id %s, which does not know it".formatted(name, id),
        "its items look like an orphan's and could be purged",
        "restore the record of the id from a backup, or register the namespace anew");
  }
}
