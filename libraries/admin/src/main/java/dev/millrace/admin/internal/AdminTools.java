package dev.millrace.admin.internal;

import dev.millrace.SchemaMismatchException;
import dev.millrace.admin.AdminOptions;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.TableClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The resources that the parts of one administration share. */
public final class AdminTools implements AutoCloseable {
  private final AdminOptions options;
  private final TableClock clock;
  final TimeIds ids;
  private final StoreCalls calls;
  final OptimisticRetry retry;
  final WriteRate rate;
  final WorkerPool workers;
  private volatile boolean schemaChecked;

  public AdminTools(BlockingStore store, AdminOptions options) {
    this.options = options;
    this.clock = new TableClock(options.clockMs());
    this.ids = new TimeIds(clock::nowMs, options.random());
    this.retry = new OptimisticRetry(options.pacer(), ids);
    this.calls = new StoreCalls(store, options.timeout().toMillis(), clock, retry, ids);
    this.rate = new WriteRate(options.maxWritesPerSecond(), options.clockMs(), retry);
    this.workers = new WorkerPool(options);
  }

  public AdminOptions options() {
    return options;
  }

  /** The store calls, after the version of the table was checked. */
  public StoreCalls calls() {
    if (!schemaChecked) {
      checkSchema();
    }
    return calls;
  }

  /** The current time, in epoch milliseconds, by the clock of the store. */
  public long nowMs() {
    return clock.nowMs();
  }

  /**
   * Gives every write of a bucket an id of its own, also in processes restored from the same
   * snapshot.
   */
  Supplier<String> ops() {
    return ids::opaque; // stateless
  }

  /** A table without the record was never set up; it is used as it is. */
  private void checkSchema() {
    RecordKey key = new RecordKey.Schema();
    StoredRecord record = calls.lookup(List.of(key)).get(key);
    if (record != null && record.version() != SchemaRecord.SUPPORTED) {
      boolean newer = record.version() > SchemaRecord.SUPPORTED;
      Map<String, Object> attributes = new LinkedHashMap<>();
      attributes.put("found", record.version());
      attributes.put("supported", SchemaRecord.SUPPORTED);
      attributes.put("todo", newer ? "use a newer version of Millrace" : "migrate the table first");
      throw new SchemaMismatchException(
          newer
              ? "the table is of a newer version than this software"
              : "the table is of an older version than this software",
          attributes,
          null);
    }
    schemaChecked = true;
  }

  @Override
  public void close() {
    workers.close();
  }
}
