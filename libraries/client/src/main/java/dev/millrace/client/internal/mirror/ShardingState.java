package dev.millrace.client.internal.mirror;

import dev.millrace.Sharding;
import dev.millrace.core.internal.protocol.CommitResult.Load;
import dev.millrace.core.spi.bucket.WriteUnits;

/**
 * What the process knows of how a bucket is divided, and how hard it is written. Times are those of
 * a clock that only goes on.
 *
 * <p>A bucket that is written harder than its partitions sustain, while requests of this process
 * queue, first gets a commit delay, in which more requests gather for each write: half as many
 * writes of twice as many requests cost half as much, while twice as many shards cost the same. So
 * it is divided only when the delay does not help, or not enough.
 */
public final class ShardingState {
  /** A shard written less than this part of what its partition sustains is quiet. */
  private static final double QUIET = 0.2;

  /** A shard written less than this part of it has room for the writes that wait. */
  private static final double EASY = 0.6;

  /** How long is measured before it is judged. */
  private static final long MEASURED_MS = 1_000;

  /**
   * A bucket that was quiet long enough to be halved once is halved further this many times sooner,
   * so that one that was divided by mistake is whole again within minutes.
   */
  public static final int FURTHER_MERGES_SOONER = 10;

  /** How soon a change of the number is tried again that failed. */
  private static final long RETRY_MS = 50;

  /** How long nobody is taken from several shards after one met others there, at first. */
  private static final long MIN_WIDE_PAUSE_MS = 20;

  /** And at most, when one after another does. */
  private static final long MAX_WIDE_PAUSE_MS = 2_000;

  /** Longest commit delay; a caller waits half of it on average. */
  public static final long MAX_DELAY_MS = 16;

  private static final long LEAST_DELAY_MS = 2;

  /** Least time between two raises of the delay: a few round trips, so that the last one shows. */
  private static final long RAISE_MS = 25;

  /** Least time between two reductions of the delay. */
  private static final long EASE_MS = 1_000;

  /** For how long requests that have queued count as doing so. */
  private static final long CROWDED_MS = 100;

  private final Sharding sharding;
  private volatile int count = 1;
  private volatile long pressedUntilMs = Long.MIN_VALUE;
  private volatile boolean started;
  private volatile int lastDrawn;
  private volatile long commitDelayMs;
  private volatile long crowdedUntilMs = Long.MIN_VALUE;
  private long delayChangeableFromMs = Long.MIN_VALUE;
  private long changeableFromMs;
  private long pressableFromMs = Long.MIN_VALUE;
  private long quietFromMs;
  private long loadMilli;
  private long loadMs;
  private long wideSecond;
  private int wideInSecond;
  private long widePauseMs;
  private long wideFromMs = Long.MIN_VALUE;

  /** Of a bucket that is not known to be divided. */
  public ShardingState(Sharding sharding) {
    this.sharding = sharding;
  }

  /** How many shards there should be, as was last heard. */
  public int count() {
    return count;
  }

  /** How long the next write waits for more requests. */
  public long commitDelayMs() {
    return commitDelayMs;
  }

  /** Requests have queued for the next write. */
  public void crowded(long nowMs) {
    crowdedUntilMs = nowMs + CROWDED_MS;
  }

  /** The shard that was drawn last. */
  public int lastDrawn() {
    return lastDrawn;
  }

  public void drew(int shard) {
    lastDrawn = shard;
  }

  /** Shard 0 says how many there should be; whether that is new. */
  public boolean learn(int told, long nowMs) {
    if (told == count) {
      return false;
    }
    changed(told, nowMs);
    return true;
  }

  private synchronized void changed(int told, long nowMs) {
    boolean folds = told < count;
    count = told;
    pressedUntilMs = Long.MIN_VALUE;
    started = true;
    changeableFromMs = nowMs + sharding.growPause().toMillis();
    pressableFromMs = nowMs + sharding.growPause().toMillis() / 2; // it takes a while to help
    long mergeAfterMs = sharding.mergeAfter().toMillis();
    quietFromMs = folds ? nowMs - mergeAfterMs + mergeAfterMs / FURTHER_MERGES_SOONER : nowMs;
    loadMilli = 0;
    loadMs = 0;
  }

  /** A shard is written harder than its partition sustains. */
  public synchronized void press(long nowMs) {
    quietFromMs = nowMs;
    if (!raiseDelay(nowMs) && nowMs >= pressableFromMs) {
      pressedUntilMs = nowMs + sharding.growPause().toMillis(); // later it may be over
    }
  }

  /** Raises the commit delay; false when that cannot help. */
  private synchronized boolean raiseDelay(long nowMs) {
    if (commitDelayMs == MAX_DELAY_MS || nowMs >= crowdedUntilMs) {
      return false;
    }
    if (nowMs >= delayChangeableFromMs) {
      commitDelayMs = Math.min(MAX_DELAY_MS, Math.max(LEAST_DELAY_MS, 2 * commitDelayMs));
      delayChangeableFromMs = nowMs + RAISE_MS;
    }
    return true;
  }

  private synchronized void easeDelay(long nowMs) {
    if (commitDelayMs > 0 && nowMs >= delayChangeableFromMs) {
      commitDelayMs--;
      delayChangeableFromMs = nowMs + EASE_MS;
    }
  }

  /** A write has shown how hard its shard is written. */
  public void measure(Load load, WriteUnits partition, long nowMs) {
    if ((count > 1 || commitDelayMs > 0) && load.overMs() > 0) {
      add(load, partition, nowMs);
    }
  }

  private synchronized void add(Load load, WriteUnits partition, long nowMs) {
    if (!started) {
      started = true;
      quietFromMs = nowMs;
    }
    loadMilli += load.unitsMilli();
    loadMs += load.overMs();
    if (loadMs >= MEASURED_MS) {
      // So many thousandths a millisecond are as many a second.
      double part = (double) loadMilli / loadMs / partition.perSecond();
      if (part > QUIET) {
        quietFromMs = nowMs;
      }
      if (part < EASY) {
        easeDelay(nowMs);
      }
      loadMilli = 0;
      loadMs = 0;
    }
  }

  /**
   * How many shards there should be by now: twice as many, half as many, or as many as there are.
   */
  public int due(long nowMs) {
    return count == 1 && nowMs >= pressedUntilMs ? 1 : dueNow(nowMs);
  }

  private synchronized int dueNow(long nowMs) {
    if (nowMs < changeableFromMs) {
      return count;
    }
    if (nowMs < pressedUntilMs) {
      return Math.max(count, Math.min(2 * count, sharding.maxShards()));
    }
    return nowMs - quietFromMs >= sharding.mergeAfter().toMillis() ? count / 2 : count;
  }

  /** Whether somebody may try to change the number now; nobody else may for a moment. */
  public synchronized boolean tries(long nowMs) {
    if (nowMs < changeableFromMs) {
      return false;
    }
    changeableFromMs = nowMs + RETRY_MS;
    return true;
  }

  /** Whether one more request may be taken from several shards now. */
  public synchronized boolean mayGoWide(int perSecond, long nowMs) {
    if (nowMs < wideFromMs) {
      return false;
    }
    long second = Math.floorDiv(nowMs, 1_000L);
    if (second != wideSecond) {
      wideSecond = second;
      wideInSecond = 0;
    }
    return wideInSecond++ < perSecond;
  }

  /**
   * A request was to be taken from several shards. One that met others has kept them from writing
   * for nothing, so the next must wait, the longer the more often that happens.
   *
   * @param met whether others were in its way
   */
  public synchronized void wentWide(boolean met, long nowMs) {
    widePauseMs =
        met
            ? Math.min(Math.max(2 * widePauseMs, MIN_WIDE_PAUSE_MS), MAX_WIDE_PAUSE_MS)
            : widePauseMs / 2;
    wideFromMs = met ? nowMs + widePauseMs : wideFromMs;
  }
}
