package dev.millrace.dynamodb.client;

import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.directory.SchemaRecord;
import dev.millrace.core.directory.StoredRecord;
import dev.millrace.core.store.StoreCall;
import java.util.Map;

/**
 * Whether the table may hold buckets of an older schema, as its version record said when it was
 * last looked up. Limiters and the administration look it up before they use a table, and limiters
 * again every minute, so it costs no read to know. Until then there is nothing older: who has not
 * looked may not use the table.
 */
final class TableAge {
  private static final RecordKey SCHEMA = new RecordKey.Schema();

  private volatile boolean mayHoldOlder;

  boolean mayHoldOlder() {
    return mayHoldOlder;
  }

  /** Learns from what {@code call} found. */
  void learn(StoreCall.Lookup call, Map<RecordKey, StoredRecord> records) {
    if (call.keys().contains(SCHEMA)) {
      mayHoldOlder = records.get(SCHEMA) instanceof SchemaRecord schema && schema.mayHoldOlder();
    }
  }
}
