package dev.millrace.dynamodb.admin.migration;

import dev.millrace.BucketKey;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.admin.migration.MigrationReport.Pass;
import dev.millrace.dynamodb.admin.migration.MigrationTally.Count;
import dev.millrace.dynamodb.internal.call.OldBucketStore;
import dev.millrace.dynamodb.internal.call.OldBucketStore.Found;
import dev.millrace.dynamodb.internal.legacy.CarriedBucket;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import dev.millrace.dynamodb.internal.legacy.OldBucket;
import dev.millrace.dynamodb.internal.legacy.OldItems;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The work of each pass on one bucket. The page that named it may be out of date by now, because
 * limiters and old clients go on: then the transaction is refused, and the bucket is read again.
 */
final class BucketMigration {
  /** Most times that one bucket is planned, because other writers were faster. */
  static final int MAX_TRIES = 16;

  private final Pass pass;
  private final OldBucketStore store;
  private final String table;
  private final MigrationTally tally;

  BucketMigration(Pass pass, OldBucketStore store, String table, MigrationTally tally) {
    this.pass = pass;
    this.store = store;
    this.table = table;
    this.tally = tally;
  }

  /**
   * Processes a bucket; invalid content is counted, and the others go on.
   *
   * @param seen the old items as a page had them, null when it may not have had all of them
   */
  void process(BucketKey key, @Nullable Found seen) {
    try {
      Found found = seen == null ? store.find(key) : seen;
      OldItems items = found.items();
      if (items.isEmpty()) {
        return;
      }
      if (items.isMoved()) {
        tally.addBucket(Count.CARRIED_OVER, CarriedBucket.of(items).asCarried());
      } else if (!items.isFragment()) {
        OldBucket old = OldBucket.decode(items);
        tally.addBucket(
            old.version() == OldBucket.PER_LIMIT ? Count.PER_LIMIT : Count.COMPOSITE,
            old.state(found.nowMs(), /* op= */ "").limits());
      }
      switch (pass) {
        case LOOK -> {}
        case CARRY_OVER, CLEAN_UP -> carryOver(key, found);
        case VERIFY -> verify(items);
      }
    } catch (MillraceException e) {
      // An exception about the table, and not about an item, has a class of its own.
      if (e.getClass() != MillraceException.class || !e.attributes().containsKey("problem")) {
        throw e;
      }
      Object partition = e.attributes().get("partition");
      Object sort = e.attributes().get("sort");
      tally.addCorrupt(
          partition == null || sort == null
              ? OldBucketAddress.composite(key)
              : new ItemAddress(partition.toString(), sort.toString()),
          String.valueOf(e.attributes().get("problem")));
    }
  }

  private void carryOver(BucketKey key, Found first) {
    boolean cleanUp = pass == Pass.CLEAN_UP;
    Found found = first;
    if (found.items().isMoved()
        && CarryPlan.of(table, found.items(), /* today= */ null, found.nowMs(), cleanUp).kind()
            == CarryPlan.Kind.NOTHING) {
      return; // whatever today's bucket is: most of a second run
    }
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      BucketState today = store.today(key);
      CarryPlan plan = CarryPlan.of(table, found.items(), today, found.nowMs(), cleanUp);
      if (plan.kind() == CarryPlan.Kind.NOTHING) {
        return;
      }
      if (store.write(plan)) {
        tally.addWrite(plan.kind());
        if (!cleanUp || plan.kind() == CarryPlan.Kind.DELETE) {
          return;
        }
      }
      found = store.find(key);
    }
    tally.add(Count.CONTENDED, 1);
  }

  private void verify(OldItems items) {
    if (!items.isMoved()) {
      return; // counted as one that is yet to be carried over
    }
    String defect = CarriedBucket.of(items).defect(store.shards(items.key()));
    if (defect == null) {
      tally.add(Count.VERIFIED, 1);
    } else {
      tally.addDefect(OldBucketAddress.composite(items.key()), defect);
    }
  }
}
