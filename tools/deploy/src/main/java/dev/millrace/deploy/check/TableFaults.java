package dev.millrace.deploy.check;

import dev.millrace.admin.JobView;
import dev.millrace.admin.OrphanReport;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.deploy.check.TableFault.Severity;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Collects the faults of a table: differences from {@link TableDefinition}, faults of its records,
 * and of the clock of this machine. Unlike opening the table, it finds all of them. Pure.
 */
final class TableFaults {
  /** Longest time between two signs of life of long work; a hold of an entity takes seconds. */
  private static final Duration MAX_SILENCE = Duration.ofMinutes(5);

  /** A limiter corrects its clock from here on; a reply has whole seconds. */
  private static final Duration SLIGHTLY_OFF = Duration.ofSeconds(2);

  /** Beyond this a limiter does not believe a timestamp. */
  private static final Duration WILDLY_OFF = Duration.ofSeconds(10);

  private final List<TableFault> faults = new ArrayList<>();

  List<TableFault> all() {
    return List.copyOf(faults);
  }

  void error(String id, String what, String why, String todo) {
    faults.add(new TableFault(id, Severity.ERROR, what, why, todo));
  }

  private void warning(String id, String what, String why, String todo) {
    faults.add(new TableFault(id, Severity.WARNING, what, why, todo));
  }

  void table(TableDescription table, @Nullable TimeToLiveDescription ttl) {
    if (table.tableStatus() != TableStatus.ACTIVE && table.tableStatus() != TableStatus.UPDATING) {
      error(
          "table-not-ready",
          "the table is " + table.tableStatusAsString(),
          "nobody can acquire until it is ACTIVE",
          "wait, or see what AWS says about it");
    }
    if (!table.keySchema().equals(TableDefinition.keySchema())) {
      error(
          "wrong-key",
          "the table's key is " + text(table.keySchema()),
          "this is another software's table",
          "use another table name: a table's key cannot be changed");
    }
    List<String> replicas = TableDefinition.replicas(table);
    if (!replicas.isEmpty()) {
      error(
          "global-table",
          "DynamoDB replicates the table to " + replicas,
          "every region can spend the whole of a limit, and charges are lost",
          TableDefinition.REPLICAS_TODO);
    }
    for (TableIndex index : TableIndex.values()) {
      index(table, index);
    }
    stream(table.streamSpecification());
    timeToLive(ttl);
  }

  private void index(TableDescription table, TableIndex index) {
    String name = index.indexName();
    String definition = text(TableDefinition.indexKeySchema(index)) + ", KEYS_ONLY";
    Optional<GlobalSecondaryIndexDescription> found =
        table.globalSecondaryIndexes().stream().filter(i -> i.indexName().equals(name)).findAny();
    if (found.isEmpty()) {
      error(
          "missing-index",
          "the index " + name + " is not there",
          "what is found through it is not: children, buckets or limits of others",
          "deploy the stack again, or add the index with key " + definition);
      return;
    }
    GlobalSecondaryIndexDescription there = found.get();
    if (!there.keySchema().equals(TableDefinition.indexKeySchema(index))) {
      error(
          "wrong-index-key",
          "the key of the index " + name + " is " + text(there.keySchema()),
          "what is found through it is not",
          "delete the index, then add it with key " + definition);
    } else if (there.projection().projectionType() != TableDefinition.INDEX_PROJECTION) {
      warning(
          "wrong-projection",
          "the index " + name + " projects " + there.projection().projectionTypeAsString(),
          "every acquire writes the index too: twice the cost, and one hot partition for all"
              + " buckets of a resource",
          "delete the index, then add it as " + TableDefinition.INDEX_PROJECTION);
    } else if (there.indexStatus() != IndexStatus.ACTIVE
        && there.indexStatus() != IndexStatus.UPDATING) {
      warning(
          "index-not-ready",
          "the index " + name + " is " + there.indexStatusAsString(),
          "what is found through it is not yet",
          "wait until it is ACTIVE");
    }
  }

  private void stream(@Nullable StreamSpecification stream) {
    if (stream == null || !Boolean.TRUE.equals(stream.streamEnabled())) {
      error(
          "stream-off",
          "the table has no stream",
          "no usage is counted, no audit event archived",
          "turn it on with both images, or deploy the stack again");
    } else if (stream.streamViewType() != StreamViewType.NEW_AND_OLD_IMAGES) {
      error(
          "wrong-stream-view",
          "the stream has " + stream.streamViewTypeAsString(),
          "usage is the difference of both images of a record",
          "turn the stream off and on again with NEW_AND_OLD_IMAGES");
    }
  }

  private void timeToLive(@Nullable TimeToLiveDescription ttl) {
    @Nullable TimeToLiveStatus status = ttl == null ? null : ttl.timeToLiveStatus();
    boolean on = status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
    if (ttl == null || !on) {
      warning(
          "ttl-off",
          "nothing of the table expires",
          "buckets, usage and audit events of the past stay, and are paid for, for ever",
          "turn time to live on, for the attribute " + Attributes.TTL);
    } else if (!Attributes.TTL.equals(ttl.attributeName())) {
      error(
          "wrong-ttl",
          "the table expires by the attribute " + ttl.attributeName(),
          "what should expire stays, and what should stay may go",
          "turn it off, wait an hour, turn it on for " + Attributes.TTL);
    }
  }

  private static String text(List<KeySchemaElement> key) {
    return key.stream().map(KeySchemaElement::attributeName).toList().toString();
  }

  void version(@Nullable SchemaRecord schema) {
    if (schema == null) {
      warning(
          "no-version",
          "the table does not say which version it is",
          "software of another version would not notice",
          "run 'millrace deploy --wait', or TableAdmin.createIfMissing");
    } else if (schema.version() < SchemaRecord.SUPPORTED) {
      error(
          "stale-version",
          "the table is of version %d, this software of version %d"
              .formatted(schema.version(), SchemaRecord.SUPPORTED),
          "what older versions left may not be found, or is looked for with every new bucket",
          "finish the migration: 'millrace migrate'");
    } else if (schema.version() > SchemaRecord.SUPPORTED) {
      error(
          "newer-version",
          "the table is of version %d, this software only of version %d"
              .formatted(schema.version(), SchemaRecord.SUPPORTED),
          "this software would write what the newer one does not expect, so it refuses",
          "upgrade Millrace here");
    }
  }

  /** Compares the clock of this machine with DynamoDB's. */
  void clock(Instant own, Instant theirs) {
    Duration off = Duration.between(theirs, own);
    if (off.abs().compareTo(SLIGHTLY_OFF) >= 0) {
      faults.add(
          new TableFault(
              "clock-off",
              off.abs().compareTo(WILDLY_OFF) < 0 ? Severity.WARNING : Severity.ERROR,
              "this machine's clock is %d s %s"
                  .formatted(off.abs().toSeconds(), off.isNegative() ? "behind" : "ahead"),
              "every second of difference between writers is a second's refill too much",
              "run a time daemon, here and on every host that acquires"));
    }
  }

  void locks(String namespace, List<JobView> unfinished, Instant now) {
    for (JobView job : unfinished) {
      Duration silent = Duration.between(job.updatedAt(), now);
      if (silent.compareTo(MAX_SILENCE) > 0) {
        warning(
            "expired-lock",
            "%s %s of the namespace %s was last heard of %d min ago"
                .formatted(job.kind(), job.id(), namespace, silent.toMinutes()),
            "whoever worked at it is dead: a change has not reached all buckets, or an entity"
                + " cannot be moved",
            "resume it: jobs().resumeAll of the administration");
      }
    }
  }

  void orphans(OrphanReport report) {
    String why = "nobody can reach them, and they are paid for";
    new TreeMap<>(report.items())
        .forEach(
            (id, items) ->
                warning(
                    "orphaned-namespace",
                    "%d items belong to the id %s, which no namespace has".formatted(items, id),
                    why,
                    "make sure that nobody writes them, then purge the orphans of " + id));
    if (report.itemsOfOthers() > 0) {
      warning(
          "orphaned-namespace",
          report.itemsOfOthers() + " items belong to further ids that no namespace has",
          why,
          "purge those that are named, then check again");
    }
  }
}
