package dev.millrace.dynamodb.internal.item;

import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.dynamodb.internal.schema.RecordAttributes;

/**
 * The version of the table's schema as an item and back. Tables of versions 1 and 2 have a record
 * of another form in its place, which says the version of their software. Which of the two it is
 * does not matter: both have to be migrated.
 */
final class SchemaCodec {
  private SchemaCodec() {}

  static ItemWriter encode(ItemWriter item, SchemaRecord schema) {
    return item.number(RecordAttributes.VERSION, schema.version())
        .numberUnless(schema.version(), RecordAttributes.OLDEST, schema.oldest());
  }

  static SchemaRecord decode(ItemReader item) {
    if (!item.item().containsKey(RecordAttributes.VERSION)
        && item.item().containsKey(RecordAttributes.FORMER_VERSION)) {
      return new SchemaRecord(SchemaRecord.SUPPORTED - 1);
    }
    long version = item.atLeast(1, RecordAttributes.VERSION);
    if (!item.item().containsKey(RecordAttributes.OLDEST)) {
      return new SchemaRecord(version);
    }
    long oldest = item.atLeast(1, RecordAttributes.OLDEST);
    if (oldest > version) {
      throw item.corrupt(
          RecordAttributes.OLDEST + " " + oldest + " is above the version " + version, null);
    }
    return new SchemaRecord(version, oldest);
  }
}
