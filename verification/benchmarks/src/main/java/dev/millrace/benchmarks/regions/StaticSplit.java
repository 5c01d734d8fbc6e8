package dev.millrace.benchmarks.regions;

import dev.millrace.Limit;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.Ppm;

/** Every region has an equal part, for good. One region alone is one central bucket. */
final class StaticSplit implements Fleet {
  private final SimBucket[] buckets;

  StaticSplit(Limit limit, int parts, long nowMs) {
    GlobalLimit global = GlobalLimit.of(limit, Ppm.WHOLE / parts);
    buckets = new SimBucket[parts];
    for (int i = 0; i < parts; i++) {
      buckets[i] = new SimBucket(global.part(Ppm.WHOLE / parts).orElseThrow(), nowMs);
    }
  }

  @Override
  public boolean ask(int region, long nowMs) {
    return buckets[region % buckets.length].consume(Limit.MILLI, nowMs);
  }

  @Override
  public void exchange(int region, long nowMs) {
    // there is nothing to exchange
  }
}
