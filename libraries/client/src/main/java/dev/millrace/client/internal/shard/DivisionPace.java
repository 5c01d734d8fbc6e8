package dev.millrace.client.internal.shard;

/**
 * The bound on how fast one process divides buckets, all of them together. A bucket that is really
 * hot needs one doubling a second and as many splits as it has shards; whatever asks for more than
 * the bound is a mistake of many buckets at once, and must not multiply the items of a table.
 */
public final class DivisionPace {
  /** Most doublings and splits that one process begins in a second. */
  public static final int MAX_PER_SECOND = 64;

  private long second = Long.MIN_VALUE;
  private int begun;

  /** Whether one more may begin; it is counted. */
  public synchronized boolean mayBegin(long nowMs) {
    long now = Math.floorDiv(nowMs, 1_000L);
    if (now != second) {
      second = now;
      begun = 0;
    }
    if (begun == MAX_PER_SECOND) {
      return false;
    }
    begun++;
    return true;
  }
}
