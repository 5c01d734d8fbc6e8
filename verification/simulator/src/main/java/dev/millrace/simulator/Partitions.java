package dev.millrace.simulator;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The throughput of the table: write units a second for each key, and what a second has left over.
 * A write costs one unit, in a transaction two. Who wants more is turned away, as DynamoDB does.
 */
final class Partitions {
  /** A table that bears everything. */
  static final int UNLIMITED = 0;

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long TRANSACTIONAL = 2;

  private static final class Partition {
    /** Write units, in billionths: a nanosecond returns as many as there are units a second. */
    long nanoUnits;

    long atNanos;
  }

  private final long unitsPerSecond;
  private final Map<BucketKey, Partition> partitions = new HashMap<>();

  Partitions(int unitsPerSecond) {
    this.unitsPerSecond = unitsPerSecond;
  }

  /** Takes what a call costs, of every partition or of none; false when one does not bear it. */
  boolean bears(StoreCall call, long nowNanos) {
    if (unitsPerSecond == UNLIMITED) {
      return true;
    }
    if (call instanceof StoreCall.Write write) {
      return bear(List.of(write.key()), 1, nowNanos);
    }
    return !(call instanceof StoreCall.Transaction transaction)
        || bear(transaction.plans().stream().map(WritePlan::key).toList(), TRANSACTIONAL, nowNanos);
  }

  private boolean bear(List<BucketKey> keys, long units, long nowNanos) {
    // What is more than a partition ever has needs all that it has.
    long costs = Math.min(units, unitsPerSecond) * NANOS_PER_SECOND;
    for (BucketKey key : keys) {
      if (filled(key, nowNanos).nanoUnits < costs) {
        return false;
      }
    }
    for (BucketKey key : keys) {
      filled(key, nowNanos).nanoUnits -= costs;
    }
    return true;
  }

  private Partition filled(BucketKey key, long nowNanos) {
    long fullNanoUnits = unitsPerSecond * NANOS_PER_SECOND;
    Partition partition = partitions.get(key);
    if (partition == null) {
      partition = new Partition();
      partition.nanoUnits = fullNanoUnits;
      partitions.put(key, partition);
    } else if (nowNanos - partition.atNanos >= NANOS_PER_SECOND) {
      partition.nanoUnits = fullNanoUnits;
    } else {
      long earned = (nowNanos - partition.atNanos) * unitsPerSecond;
      partition.nanoUnits = Math.min(fullNanoUnits, partition.nanoUnits + earned);
    }
    partition.atNanos = nowNanos;
    return partition;
  }
}
