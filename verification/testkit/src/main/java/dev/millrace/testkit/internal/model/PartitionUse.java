package dev.millrace.testkit.internal.model;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.internal.memory.ListRange;
import dev.millrace.testkit.internal.memory.TableLayout;
import dev.millrace.testkit.internal.model.PartitionThroughput.Units;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which partitions a call touches, and what it needs of each: what {@link InMemoryStore} bills. A
 * shard of a bucket has a partition of its own, the records of an entity share one, as do the
 * records of a namespace that belong to no entity, resource or subject. A page of an index needs
 * the partition of that index. A scan of everything is spread so far that it is not limited.
 */
public final class PartitionUse {
  private static final Units READ = new Units(1, 0);
  private static final Units HALF_READ = new Units(0.5, 0);
  private static final Units WRITE = new Units(0, 1);
  private static final Units TRANSACTIONAL = new Units(0, 2);

  private final Map<String, Units> needs = new TreeMap<>();

  private PartitionUse() {}

  public static Map<String, Units> of(StoreCall call) {
    PartitionUse use = new PartitionUse();
    use.add(call);
    return use.needs;
  }

  private void add(StoreCall call) {
    if (call instanceof StoreCall.Read read) {
      bucket(read.key(), READ);
    } else if (call instanceof StoreCall.Write write) {
      bucket(write.key(), WRITE);
    } else if (call instanceof StoreCall.ReadAll readAll) {
      readAll.keys().forEach(key -> bucket(key, READ));
    } else if (call instanceof StoreCall.Lookup lookup) {
      lookup.keys().forEach(key -> record(key, lookup.consistent() ? READ : HALF_READ));
    } else if (call instanceof StoreCall.Transaction transaction) {
      transaction.plans().forEach(plan -> bucket(plan.key(), TRANSACTIONAL));
      transaction.changes().forEach(change -> record(change.key(), TRANSACTIONAL));
    } else if (call instanceof StoreCall.Erase erase) {
      erase.buckets().forEach(key -> bucket(key, WRITE));
      erase.items().stream().map(ItemAddress::partition).forEach(each -> need(each, WRITE));
    } else if (call instanceof StoreCall.ListPage page && !isScan(page.listing())) {
      need(ListRange.of(page.listing()).from().partition(), HALF_READ);
    }
  }

  private static boolean isScan(Listing listing) {
    return listing instanceof Listing.AllItems || listing instanceof Listing.BucketsOfNamespace;
  }

  private void bucket(BucketKey key, Units units) {
    need(TableLayout.of(key).partition(), units);
  }

  private void record(RecordKey key, Units units) {
    need(TableLayout.of(key).partition(), units);
  }

  private void need(String partition, Units units) {
    needs.merge(partition, units, Units::plus);
  }
}
