package dev.millrace.dynamodb.admin.migration;

import dev.millrace.BucketKey;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.internal.call.OldBucketStore;
import dev.millrace.dynamodb.internal.legacy.CarriedBucket;
import dev.millrace.dynamodb.internal.legacy.CarryOver;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import dev.millrace.dynamodb.internal.legacy.OldBucket;
import dev.millrace.dynamodb.internal.legacy.OldBucketCodec;
import dev.millrace.dynamodb.internal.legacy.OldItems;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of each pass on one bucket. The page that named it may be out of date by now, because
 * limiters and old clients go on: then the transaction is refused, and the bucket is read again.
 */
final class BucketWork {
  /** Most times that one bucket is planned anew, because others were quicker. */
  static final int MAX_TRIES = 16;

  private final MigrationPass pass;
  private final OldBucketStore store;
  private final String table;
  private final Tally tally;

  BucketWork(MigrationPass pass, OldBucketStore store, String table, Tally tally) {
    this.pass = pass;
    this.store = store;
    this.table = table;
    this.tally = tally;
  }

  /**
   * Does it; what makes no sense is noted, and the others go on.
   *
   * @param seen the old items as a page had them, null when it may not have had all of them
   */
  void on(BucketKey key, OldBucketStore.@Nullable Found seen) {
    try {
      OldBucketStore.Found found = seen == null ? store.find(key) : seen;
      if (found.items().isEmpty()) {
        return;
      }
      met(found);
      switch (pass) {
        case LOOK -> {}
        case CARRY_OVER, CLEAN_UP -> carryOver(key, found);
        case VERIFY -> verify(found.items());
      }
    } catch (MillraceException e) {
      if (!isCorrupt(e)) {
        throw e;
      }
      tally.corrupt(address(e, key), String.valueOf(e.attributes().get("problem")));
    }
  }

  /** Whether it is about an item; what is about the table has a class of its own. */
  private static boolean isCorrupt(MillraceException e) {
    return e.getClass() == MillraceException.class && e.attributes().containsKey("problem");
  }

  private static ItemAddress address(MillraceException corrupt, BucketKey key) {
    Object partition = corrupt.attributes().get("partition");
    Object sort = corrupt.attributes().get("sort");
    return partition == null || sort == null
        ? OldBucketAddress.composite(key)
        : new ItemAddress(partition.toString(), sort.toString());
  }

  private void met(OldBucketStore.Found found) {
    OldItems items = found.items();
    if (items.isMoved()) {
      CarriedBucket carried = CarriedBucket.of(items);
      tally.metCarriedOver(carried.asCarried());
    } else if (!items.isFragment()) {
      OldBucket old = OldBucketCodec.decode(items);
      tally.met(old.version(), CarryOver.state(old, found.nowMs(), /* op= */ ""));
    }
  }

  private void carryOver(BucketKey key, OldBucketStore.Found first) {
    boolean cleanUp = pass == MigrationPass.CLEAN_UP;
    OldBucketStore.Found found = first;
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
        tally.did(plan.kind());
        if (!cleanUp || plan.kind() == CarryPlan.Kind.DELETE) {
          return;
        }
      }
      found = store.find(key);
    }
    tally.contended();
  }

  private void verify(OldItems items) {
    if (!items.isMoved()) {
      return; // counted as one that is yet to be carried over
    }
    List<BucketState> shards = store.shards(items.key());
    String defect = CarriedBucket.of(items).defect(shards);
    if (defect == null) {
      tally.verified();
    } else {
      tally.defect(OldBucketAddress.composite(items.key()), defect);
    }
  }
}
