package dev.millrace.aggregator.internal;

import dev.millrace.aggregator.GrowthSettings;
import dev.millrace.core.bucket.Division;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.dynamodb.item.BucketChange;

/**
 * How hard one shard of a bucket is written, as the stream tells it. A bucket's shards may be read
 * by different workers; as they are drawn at random, one tells about the others.
 */
final class ShardLoad {
  /** A shard written less than this part of what its partition bears is quiet. */
  private static final int QUIET_PERCENT = 20;

  /** How soon after one change, or one try, another is thought of. */
  private static final long PAUSE_MS = 1_000;

  /** How many pieces the quiet time is measured in. */
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

  /** How many shards there should be, as the shard was told. */
  int count() {
    return division.count();
  }

  /** What was not divided, and was not just pressed, need not be known. */
  boolean isWorthRemembering() {
    return division.count() > 1 || changeableFromMs > measuredFromMs;
  }

  /** It was written; how many shards there should be now. */
  int written(BucketChange.Load load, long atMs, long nowMs, GrowthSettings settings) {
    if (load.division().count() != division.count()) {
      quietFromMs = nowMs; // the change has to show what it does
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

  /** How many shards there should be by now, if it was not written. */
  int due(long nowMs, GrowthSettings settings) {
    long mergeAfterMs = settings.mergeAfter().toMillis();
    measure(nowMs, Math.max(1, mergeAfterMs / MEASURES), settings);
    if (division.count() == 1 || nowMs < changeableFromMs || nowMs - quietFromMs < mergeAfterMs) {
      return division.count();
    }
    quietFromMs = nowMs; // another half only after another such time
    return division.count() / 2;
  }

  private void measure(long nowMs, long pieceMs, GrowthSettings settings) {
    long elapsedMs = nowMs - measuredFromMs;
    if (elapsedMs < pieceMs) {
      return;
    }
    // So many thousandths a millisecond are as many a second.
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
