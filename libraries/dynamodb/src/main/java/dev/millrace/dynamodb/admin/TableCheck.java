package dev.millrace.dynamodb.admin;

import dev.millrace.SchemaMismatchException;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.TableDefinition;
import dev.millrace.dynamodb.internal.schema.TableIndex;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** The check that a table has the schema of Millrace. Pure. */
final class TableCheck {
  private static final String SUMMARY = "the table is not one that Millrace can use";

  private TableCheck() {}

  static void check(TableDescription table) {
    String name = table.tableName();
    if (!table.keySchema().equals(TableDefinition.keySchema())) {
      throw mismatch(
          name,
          "its key is " + describe(table.keySchema()),
          describe(TableDefinition.keySchema()),
          "use another table name: a table's key cannot be changed");
    }
    List<String> replicas = TableDefinition.replicas(table);
    if (!replicas.isEmpty()) {
      throw mismatch(
          name,
          "DynamoDB replicates it to " + replicas + " (a global table)",
          "a table of one region",
          TableDefinition.REPLICAS_TODO);
    }
    for (TableIndex index : TableIndex.values()) {
      check(name, index, find(table, index));
    }
  }

  static void checkSchema(String table, SchemaRecord schema) {
    if (schema.version() > SchemaRecord.SUPPORTED) {
      throw mismatch(
          table,
          "its schema version is " + schema.version() + ", newer than this software",
          "at most " + SchemaRecord.SUPPORTED,
          "upgrade Millrace here to the version that changed the table, or use another table");
    }
  }

  static SchemaMismatchException older(String table) {
    return mismatch(
        table,
        "it holds buckets of an older schema",
        "version " + SchemaRecord.SUPPORTED,
        "migrate it first: millrace migrate --table " + table);
  }

  static void checkTimeToLive(String table, String attribute) {
    if (!attribute.equals(Attributes.TTL)) {
      throw mismatch(
          table,
          "its time to live is read from " + attribute,
          Attributes.TTL,
          "use another table name, or disable its time to live and try again in an hour");
    }
  }

  private static void check(
      String table, TableIndex index, @Nullable GlobalSecondaryIndexDescription found) {
    String todo = "add the index, or use another table name and let Millrace create the table";
    List<KeySchemaElement> key = TableDefinition.indexKeySchema(index);
    if (found == null) {
      throw mismatch(table, "it lacks the index " + index.indexName(), describe(key), todo);
    }
    if (!found.keySchema().equals(key)) {
      throw mismatch(
          table,
          "the key of its index " + index.indexName() + " is " + describe(found.keySchema()),
          describe(key),
          "delete the index first; " + todo);
    }
    if (found.projection().projectionType() != TableDefinition.INDEX_PROJECTION) {
      throw mismatch(
          table,
          "its index "
              + index.indexName()
              + " projects "
              + found.projection().projectionTypeAsString()
              + ", so that every acquire would write it too",
          String.valueOf(TableDefinition.INDEX_PROJECTION),
          "delete the index first; " + todo);
    }
  }

  private static @Nullable GlobalSecondaryIndexDescription find(
      TableDescription table, TableIndex index) {
    for (GlobalSecondaryIndexDescription found : table.globalSecondaryIndexes()) {
      if (found.indexName().equals(index.indexName())) {
        return found;
      }
    }
    return null;
  }

  private static String describe(List<KeySchemaElement> keySchema) {
    return keySchema.stream()
        .map(e -> e.attributeName() + " " + e.keyTypeAsString())
        .toList()
        .toString();
  }

  private static SchemaMismatchException mismatch(
      String table, String problem, String expected, String todo) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("table", table);
    attributes.put("problem", problem);
    attributes.put("expected", expected);
    attributes.put("todo", todo);
    return new SchemaMismatchException(SUMMARY, attributes, null);
  }
}
