package dev.millrace.testkit;

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
final class MemoryTable {
  private final Stripes stripes = new Stripes();
  private final ConcurrentHashMap<BucketKey, BucketState> buckets = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<RecordKey, StoredRecord> records = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<Place, Holding> items = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListMap<Place, Holding> indexes = new ConcurrentSkipListMap<>();

  @Nullable BucketState bucket(BucketKey key) {
    return buckets.get(key);
  }

  @Nullable StoredRecord record(RecordKey key) {
    return records.get(key);
  }

  int bucketCount() {
    return buckets.size();
  }

  int recordCount() {
    return records.size();
  }

  /** Everything in the table, by its place. */
  ConcurrentNavigableMap<Place, Holding> items() {
    return items;
  }

  /** Everything in the indexes. */
  ConcurrentNavigableMap<Place, Holding> indexes() {
    return indexes;
  }

  /** Runs {@code body} with the lock of one bucket, record or token. */
  <T> T locked(Object key, Supplier<T> body) {
    return stripes.with(key, body);
  }

  /** Runs {@code body} with the locks of all of them. */
  <T> T lockedAll(Collection<?> keys, Supplier<T> body) {
    return stripes.withAll(keys, body);
  }

  /** Writes a bucket whose lock is held. */
  void put(BucketState state) {
    BucketKey key = state.key();
    if (buckets.put(key, state) == null) {
      Holding holding = new Holding.OfBucket(key);
      items.put(Places.of(key), holding);
      Places.indexed(key).forEach(place -> indexes.put(place, holding));
    }
  }

  /** Writes a record whose lock is held. */
  void put(StoredRecord record) {
    Holding holding = new Holding.OfRecord(record.key());
    StoredRecord before = records.put(record.key(), record);
    if (before == null) {
      items.put(Places.of(record.key()), holding);
    }
    Set<Place> stale = new HashSet<>(before == null ? List.of() : Places.indexed(before));
    for (Place place : Places.indexed(record)) {
      indexes.put(place, holding);
      stale.remove(place);
    }
    stale.forEach(indexes::remove);
  }

  /** Removes a bucket whose lock is held. Returns whether it was there. */
  boolean remove(BucketKey key) {
    if (buckets.remove(key) == null) {
      return false;
    }
    items.remove(Places.of(key));
    Places.indexed(key).forEach(indexes::remove);
    return true;
  }

  /** Removes a record whose lock is held. Returns whether it was there. */
  boolean remove(RecordKey key) {
    StoredRecord before = records.remove(key);
    if (before == null) {
      return false;
    }
    items.remove(Places.of(key));
    Places.indexed(before).forEach(indexes::remove);
    return true;
  }

  /** Removes what is at {@code address}, if anything is. */
  void erase(ItemAddress address) {
    Holding found = items.get(new Place(address.partition(), address.sort()));
    if (found instanceof Holding.OfBucket bucket) {
      locked(bucket.key(), () -> remove(bucket.key()));
    } else if (found instanceof Holding.OfRecord record) {
      locked(record.key(), () -> remove(record.key()));
    }
  }
}
