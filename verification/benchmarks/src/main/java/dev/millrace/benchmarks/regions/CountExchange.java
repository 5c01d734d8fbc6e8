package dev.millrace.benchmarks.regions;

import dev.millrace.Limit;

/**
 * Every region enforces the whole, and takes off what it hears that the others have consumed. That
 * is what most systems do. It cannot be safe: everybody can spend the whole before it hears of
 * another.
 */
final class CountExchange implements Fleet {
  private final SimBucket[] buckets;
  private final long[] publishedMilli;
  private final long[][] debitedMilli;

  CountExchange(Limit limit, int regions, long nowMs) {
    buckets = new SimBucket[regions];
    publishedMilli = new long[regions];
    debitedMilli = new long[regions][regions];
    for (int i = 0; i < regions; i++) {
      buckets[i] = new SimBucket(limit, nowMs);
    }
  }

  @Override
  public boolean ask(int region, long nowMs) {
    return buckets[region].consume(Limit.MILLI, nowMs);
  }

  @Override
  public void exchange(int region, long nowMs) {
    for (int other = 0; other < buckets.length; other++) {
      if (other != region) {
        long heardMilli = publishedMilli[other];
        buckets[region].debit(heardMilli - debitedMilli[region][other], nowMs);
        debitedMilli[region][other] = heardMilli;
      }
    }
    publishedMilli[region] = buckets[region].consumedMilli();
  }
}
