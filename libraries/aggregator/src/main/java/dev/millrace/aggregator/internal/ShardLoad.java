package dev.millrace.aggregator.internal;

import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.dynamodb.internal.item.BucketChange;

/**
 * The write load of one shard of a bucket, as the stream reports it. A bucket's shards may be read
 * by different workers; as requests choose them at random, one is representative of the others.
 */
final class ShardLoad {
  /** A shard below this part of the load that its partition can sustain is quiet. */
  private static final int QUIET_PERCENT = 20;

  /** The shortest time between two changes, or two attempts. */
  private static final long PAUSE_MS = 1_000;

  /** The number of intervals that the quiet time is measured in. */
  private static final int MEASURES = 5;

  private Division division;
  private long changeableFromMs;
  private long quietFromMs;
  private long measuredFromMs;
  private long writes;

  ShardLoad(Division division, long nowMs) {
    this.division = division;
    this.changeableFromMs = nowMs;
    this.quietFromMs = nowMs;
    this.measuredFromMs = nowMs;
  }

  /** The target number of shards, as stored in the shard. */
  int count() {
    return division.count();
  }

  /** Whether an entry can be dropped: neither divided nor recently under pressure. */
  boolean isWorthRemembering() {
    return division.count() > 1 || changeableFromMs > measuredFromMs;
  }

  /** Records a write; returns the target number of shards. */
  int written(BucketChange.Load load, long atMs, long nowMs, GrowthSettings settings) {
    if (load.division().count() != division.count()) {
      quietFromMs = nowMs; // the effect of the change must show first
      changeableFromMs = nowMs + PAUSE_MS;
    }
    division = load.division();
    writes++;
    if (isPressed(load, atMs, settings)) {
      quietFromMs = nowMs;
      // A shard that has yet to split is not helped by more shards.
      boolean lags = division.level() < division.count();
      if (!lags && division.count() < settings.maxShards() && nowMs >= changeableFromMs) {
        changeableFromMs = nowMs + PAUSE_MS;
        return 2 * division.count();
      }
    }
    return due(nowMs, settings);
  }

  /** The target number of shards, if there was no write. */
  int due(long nowMs, GrowthSettings settings) {
    long mergeAfterMs = settings.mergeAfter().toMillis();
    measure(nowMs, Math.max(1, mergeAfterMs / MEASURES), settings);
    if (division.count() == 1 || nowMs < changeableFromMs || nowMs - quietFromMs < mergeAfterMs) {
      return division.count();
    }
    quietFromMs = nowMs; // another halving only after another such time
    return division.count() / 2;
  }

  private void measure(long nowMs, long pieceMs, GrowthSettings settings) {
    long elapsedMs = nowMs - measuredFromMs;
    if (elapsedMs < pieceMs) {
      return;
    }
    // Thousandths per millisecond equal units per second.
    long bearableMilli = settings.writeUnits().perSecond() * elapsedMs;
    if (writes * 1_000 * 100 > bearableMilli * QUIET_PERCENT) {
      quietFromMs = nowMs;
    }
    writes = 0;
    measuredFromMs = nowMs;
  }

  private static boolean isPressed(BucketChange.Load load, long atMs, GrowthSettings settings) {
    long fullMilli = settings.writeUnits().fullMilli();
    long earnedMilli =
        settings.writeUnits().creditMilli(load.wcuMilli(), load.refilledAtMs(), atMs);
    long balanceMilli = SaturatedMath.add(load.wcuMilli(), earnedMilli);
    long usedMilli = SaturatedMath.subtract(fullMilli, balanceMilli);
    return usedMilli >= fullMilli / 100 * settings.pressedPercent();
  }
}
