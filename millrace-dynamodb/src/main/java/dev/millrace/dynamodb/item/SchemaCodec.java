package dev.millrace.dynamodb.item;

import dev.millrace.core.directory.SchemaRecord;
import dev.millrace.dynamodb.schema.RecordAttributes;

/** The version of the table's schema as an item and back. */
final class SchemaCodec {
  private SchemaCodec() {}

  static ItemWriter encode(ItemWriter item, SchemaRecord schema) {
    return item.number(RecordAttributes.VERSION, schema.version());
  }

  static SchemaRecord decode(ItemReader item) {
    return new SchemaRecord(item.atLeast(1, RecordAttributes.VERSION));
  }
}
