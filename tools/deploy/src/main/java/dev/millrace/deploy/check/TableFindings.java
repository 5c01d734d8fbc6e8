package dev.millrace.deploy.check;

import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.GlobalTable;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

/** How a table differs from {@link TableDefinition}. Unlike opening it, this tells everything. */
final class TableFindings {
  private TableFindings() {}

  static List<Finding> of(TableDescription table, @Nullable TimeToLiveDescription ttl) {
    List<Finding> findings = new ArrayList<>();
    if (table.tableStatus() != TableStatus.ACTIVE && table.tableStatus() != TableStatus.UPDATING) {
      findings.add(
          Finding.error(
              "table-not-ready",
              "the table is " + table.tableStatusAsString(),
              "nobody can acquire until it is ACTIVE",
              "wait, or see what AWS says about it"));
    }
    if (!table.keySchema().equals(TableDefinition.keySchema())) {
      findings.add(
          Finding.error(
              "wrong-key",
              "the table's key is " + text(table.keySchema()),
              "this is another software's table",
              "use another table name: a table's key cannot be changed"));
    }
    List<String> replicas = GlobalTable.replicas(table);
    if (!replicas.isEmpty()) {
      findings.add(
          Finding.error(
              "global-table",
              "DynamoDB replicates the table to " + replicas,
              "every region can spend the whole of a limit, and charges are lost",
              GlobalTable.TODO));
    }
    for (TableIndex index : TableIndex.values()) {
      index(table, index).ifPresent(findings::add);
    }
    stream(table.streamSpecification()).ifPresent(findings::add);
    timeToLive(ttl).ifPresent(findings::add);
    return findings;
  }

  private static Optional<Finding> index(TableDescription table, TableIndex index) {
    String name = index.indexName();
    Optional<GlobalSecondaryIndexDescription> found =
        table.globalSecondaryIndexes().stream().filter(i -> i.indexName().equals(name)).findAny();
    if (found.isEmpty()) {
      return Optional.of(
          Finding.error(
              "missing-index",
              "the index " + name + " is not there",
              "what is found through it is not: children, buckets or limits of others",
              "deploy the stack again, or add the index with key "
                  + text(TableDefinition.indexKeySchema(index))
                  + ", KEYS_ONLY"));
    }
    GlobalSecondaryIndexDescription there = found.get();
    if (!there.keySchema().equals(TableDefinition.indexKeySchema(index))) {
      return Optional.of(
          Finding.error(
              "wrong-index-key",
              "the key of the index " + name + " is " + text(there.keySchema()),
              "what is found through it is not",
              "delete the index, then add it with key "
                  + text(TableDefinition.indexKeySchema(index))
                  + ", KEYS_ONLY"));
    }
    if (there.projection().projectionType() != TableDefinition.INDEX_PROJECTION) {
      return Optional.of(
          Finding.warning(
              "wrong-projection",
              "the index " + name + " projects " + there.projection().projectionTypeAsString(),
              "every acquire writes the index too: twice the cost, and one hot partition for all"
                  + " buckets of a resource",
              "delete the index, then add it as " + TableDefinition.INDEX_PROJECTION));
    }
    if (there.indexStatus() != IndexStatus.ACTIVE && there.indexStatus() != IndexStatus.UPDATING) {
      return Optional.of(
          Finding.warning(
              "index-not-ready",
              "the index " + name + " is " + there.indexStatusAsString(),
              "what is found through it is not yet",
              "wait until it is ACTIVE"));
    }
    return Optional.empty();
  }

  private static Optional<Finding> stream(@Nullable StreamSpecification stream) {
    if (stream == null || !Boolean.TRUE.equals(stream.streamEnabled())) {
      return Optional.of(
          Finding.error(
              "stream-off",
              "the table has no stream",
              "no usage is counted, no audit event archived",
              "turn it on with both images, or deploy the stack again"));
    }
    if (stream.streamViewType() != StreamViewType.NEW_AND_OLD_IMAGES) {
      return Optional.of(
          Finding.error(
              "wrong-stream-view",
              "the stream has " + stream.streamViewTypeAsString(),
              "usage is the difference of both images of a record",
              "turn the stream off and on again with NEW_AND_OLD_IMAGES"));
    }
    return Optional.empty();
  }

  private static Optional<Finding> timeToLive(@Nullable TimeToLiveDescription ttl) {
    @Nullable TimeToLiveStatus status = ttl == null ? null : ttl.timeToLiveStatus();
    boolean on = status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
    if (ttl == null || !on) {
      return Optional.of(
          Finding.warning(
              "ttl-off",
              "nothing of the table expires",
              "buckets, usage and audit events of the past stay, and are paid for, for ever",
              "turn time to live on, for the attribute " + Attributes.TTL));
    }
    if (!Attributes.TTL.equals(ttl.attributeName())) {
      return Optional.of(
          Finding.error(
              "wrong-ttl",
              "the table expires by the attribute " + ttl.attributeName(),
              "what should expire stays, and what should stay may go",
              "turn it off, wait an hour, turn it on for " + Attributes.TTL));
    }
    return Optional.empty();
  }

  private static String text(List<KeySchemaElement> key) {
    return key.stream().map(KeySchemaElement::attributeName).toList().toString();
  }
}
