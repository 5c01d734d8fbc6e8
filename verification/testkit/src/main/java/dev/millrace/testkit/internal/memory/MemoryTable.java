package dev.millrace.testkit.internal.memory;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Buckets and records in memory, and the indexes over them.
 *
 * <p>Whoever writes a bucket or a record holds its lock from reading it until it and its index
 * entries are written; one who writes several holds all their locks. Readers hold none: each bucket
 * and record is found whole, as it was before a write or after it, but of a transaction that is
 * under way a reader of several may find a part, and a listing may lag behind. DynamoDB promises no
 * more.
 */
public final class MemoryTable {
  private final StripedLocks stripes = new StripedLocks();
  private final ConcurrentHashMap<BucketKey, BucketState> buckets = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<RecordKey, StoredRecord> records = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<TablePosition, TableEntry> items =
      new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<TablePosition, TableEntry> indexes =
      new ConcurrentSkipListMap<>();

  public @Nullable BucketState bucket(BucketKey key) {
    return buckets.get(key);
  }

  public @Nullable StoredRecord record(RecordKey key) {
    return records.get(key);
  }

  public int bucketCount() {
    return buckets.size();
  }

  public int recordCount() {
    return records.size();
  }

  /** Everything in the table, by its place. */
  public ConcurrentNavigableMap<TablePosition, TableEntry> items() {
    return items;
  }

  /** Everything in the indexes. */
  public ConcurrentNavigableMap<TablePosition, TableEntry> indexes() {
    return indexes;
  }

  /** Runs {@code body} with the lock of one bucket, record or token. */
  public <T> T locked(Object key, Supplier<T> body) {
    return stripes.with(key, body);
  }

  /** Runs {@code body} with the locks of all of them. */
  public <T> T lockedAll(Collection<?> keys, Supplier<T> body) {
    return stripes.withAll(keys, body);
  }

  /** Writes a bucket whose lock is held. */
  public void put(BucketState state) {
    BucketKey key = state.key();
    if (buckets.put(key, state) == null) {
      TableEntry holding = new TableEntry.OfBucket(key);
      items.put(TableLayout.of(key), holding);
      TableLayout.indexed(key).forEach(place -> indexes.put(place, holding));
    }
  }

  /** Writes a record whose lock is held. */
  public void put(StoredRecord record) {
    TableEntry holding = new TableEntry.OfRecord(record.key());
    StoredRecord before = records.put(record.key(), record);
    if (before == null) {
      items.put(TableLayout.of(record.key()), holding);
    }
    Set<TablePosition> stale =
        new HashSet<>(before == null ? List.of() : TableLayout.indexed(before));
    for (TablePosition place : TableLayout.indexed(record)) {
      indexes.put(place, holding);
      stale.remove(place);
    }
    stale.forEach(indexes::remove);
  }

  /** Removes a bucket whose lock is held. Returns whether it was there. */
  public boolean remove(BucketKey key) {
    if (buckets.remove(key) == null) {
      return false;
    }
    items.remove(TableLayout.of(key));
    TableLayout.indexed(key).forEach(indexes::remove);
    return true;
  }

  /** Removes a record whose lock is held. Returns whether it was there. */
  public boolean remove(RecordKey key) {
    StoredRecord before = records.remove(key);
    if (before == null) {
      return false;
    }
    items.remove(TableLayout.of(key));
    TableLayout.indexed(before).forEach(indexes::remove);
    return true;
  }

  /** Removes what is at {@code address}, if anything is. */
  public void erase(ItemAddress address) {
    TableEntry found = items.get(new TablePosition(address.partition(), address.sort()));
    if (found instanceof TableEntry.OfBucket bucket) {
      locked(bucket.key(), () -> remove(bucket.key()));
    } else if (found instanceof TableEntry.OfRecord record) {
      locked(record.key(), () -> remove(record.key()));
    }
  }
}
