package dev.millrace.admin.internal;

import dev.millrace.admin.AdminOptions;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.directory.SchemaRecord;
import dev.millrace.core.directory.StoredRecord;
import dev.millrace.core.error.SchemaMismatchException;
import dev.millrace.core.store.BlockingStore;
import dev.millrace.core.store.TableClock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What everything of one administration shares. */
public final class Tools implements AutoCloseable {
  private final AdminOptions options;
  private final TableClock clock;
  private final TimeIds ids;
  private final Pauses pauses;
  private final StoreCalls calls;
  private final Retry retry;
  private final WriteRate rate;
  private final Workers workers;
  private volatile boolean schemaChecked;

  /** Asks the store nothing yet. */
  public Tools(BlockingStore store, AdminOptions options) {
    this.options = options;
    this.clock = new TableClock(options.clockMs());
    this.ids = new TimeIds(clock::nowMs, options.random());
    this.pauses = new Pauses(options, ids);
    this.calls = new StoreCalls(store, options.timeout().toMillis(), clock, pauses, ids);
    this.retry = new Retry(pauses);
    this.rate = new WriteRate(options.maxWritesPerSecond(), options.clockMs(), pauses);
    this.workers = new Workers(options);
  }

  /** How it behaves. */
  public AdminOptions options() {
    return options;
  }

  /** The calls, once the table is known to be one that can be read. */
  public StoreCalls calls() {
    if (!schemaChecked) {
      checkSchema();
    }
    return calls;
  }

  /** Now, in epoch milliseconds, as the store would say. */
  public long nowMs() {
    return clock.nowMs();
  }

  TimeIds ids() {
    return ids;
  }

  Pauses pauses() {
    return pauses;
  }

  Retry retry() {
    return retry;
  }

  WriteRate rate() {
    return rate;
  }

  /**
   * Gives every write of a bucket an id of its own, also in processes restored from one snapshot.
   */
  Supplier<String> ops() {
    return ids::opaque; // remembers nothing from one id to the next
  }

  Workers workers() {
    return workers;
  }

  /** A table without the record is one that nobody has set up; it is used as it is. */
  private void checkSchema() {
    StoredRecord record = calls.lookup(new RecordKey.Schema());
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
