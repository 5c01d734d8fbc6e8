package dev.millrace.client.internal.mirror;

/**
 * How long writes of a bucket wait for more requests to share them. Not at all, unless the bucket
 * is written harder than its partitions bear and requests of this process queue: then half as many
 * writes of twice as many requests cost half as much, while twice as many shards cost the same. So
 * a bucket is divided only when waiting does not help, or not enough. Times are those of a clock
 * that only goes on.
 */
public final class CommitDelay {
  /** Longest wait; a caller waits half of it on average. */
  public static final long MAX_MS = 16;

  private static final long LEAST_MS = 2;

  /** Least time between two raises: a few round trips, so that the last one shows. */
  private static final long RAISE_MS = 25;

  /** Least time between two steps back. */
  private static final long EASE_MS = 1_000;

  /** Requests have queued as long ago, or do no more. */
  private static final long CROWDED_MS = 100;

  private volatile long ms;
  private volatile long crowdedUntilMs = Long.MIN_VALUE;
  private long changeableFromMs = Long.MIN_VALUE;

  /** How long the next write waits. */
  public long ms() {
    return ms;
  }

  /** Requests have queued for the next write. */
  public void crowded(long nowMs) {
    crowdedUntilMs = nowMs + CROWDED_MS;
  }

  /** A shard is written too hard; whether waiting longer may help. */
  public synchronized boolean raise(long nowMs) {
    if (ms == MAX_MS || nowMs >= crowdedUntilMs) {
      return false;
    }
    if (nowMs >= changeableFromMs) {
      ms = Math.min(MAX_MS, Math.max(LEAST_MS, 2 * ms));
      changeableFromMs = nowMs + RAISE_MS;
    }
    return true;
  }

  /** Shards have room for more writes. */
  public synchronized void ease(long nowMs) {
    if (ms > 0 && nowMs >= changeableFromMs) {
      ms--;
      changeableFromMs = nowMs + EASE_MS;
    }
  }
}
