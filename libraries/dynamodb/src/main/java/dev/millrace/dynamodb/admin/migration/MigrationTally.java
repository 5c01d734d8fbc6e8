package dev.millrace.dynamodb.admin.migration;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.dynamodb.admin.migration.MigrationReport.Pass;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counts of a pass while it runs. Thread-safe. */
final class MigrationTally {
  private final Pass pass;
  private final long expected;
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final Map<ItemAddress, String> corrupt = new LinkedHashMap<>();
  private final Map<ItemAddress, String> defects = new LinkedHashMap<>();

  /** The counts of a report. */
  enum Count {
    EXAMINED,
    PER_LIMIT,
    COMPOSITE,
    CARRIED_OVER,
    CONTENDED,
    VERIFIED,
    CONSUMED_MILLI,
    TOKENS_MILLI,
    CORRUPT,
    DEFECTS,
    MOVED,
    MERGED,
    FOLDED,
    DELETED
  }

  MigrationTally(Pass pass, long expected) {
    this.pass = pass;
    this.expected = expected;
  }

  synchronized void add(Count count, long amount) {
    counts.merge(count, amount, SaturatedMath::add);
  }

  /** Counts a bucket with its counters and balances. */
  void addBucket(Count count, List<LimitState> limits) {
    add(count, 1);
    for (LimitState limit : limits) {
      add(Count.CONSUMED_MILLI, limit.consumedMilli());
      add(Count.TOKENS_MILLI, limit.tokensMilli());
    }
  }

  /** Counts a transaction that was made. */
  void addWrite(CarryPlan.Kind kind) {
    switch (kind) {
      case NOTHING -> {}
      case MOVE -> add(Count.MOVED, 1);
      case MERGE -> add(Count.MERGED, 1);
      case FOLD -> add(Count.FOLDED, 1);
      case DELETE -> add(Count.DELETED, 1);
    }
  }

  synchronized void addCorrupt(ItemAddress address, String problem) {
    add(Count.CORRUPT, 1);
    list(corrupt, address, problem);
  }

  synchronized void addDefect(ItemAddress address, String problem) {
    add(Count.DEFECTS, 1);
    list(defects, address, problem);
  }

  private static void list(Map<ItemAddress, String> items, ItemAddress address, String problem) {
    if (items.size() < MigrationReport.MAX_LISTED) {
      items.put(address, problem);
    }
  }

  private long get(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  synchronized MigrationReport report() {
    return new MigrationReport(
        pass,
        expected,
        get(Count.EXAMINED),
        get(Count.PER_LIMIT),
        get(Count.COMPOSITE),
        get(Count.CARRIED_OVER),
        get(Count.MOVED),
        get(Count.MERGED),
        get(Count.FOLDED),
        get(Count.DELETED),
        get(Count.CONTENDED),
        get(Count.VERIFIED),
        get(Count.CONSUMED_MILLI),
        get(Count.TOKENS_MILLI),
        get(Count.CORRUPT),
        corrupt,
        get(Count.DEFECTS),
        defects);
  }
}
