package dev.millrace.examples.tworegions;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Callers of one region: so many requests a second, on a thread of their own. */
final class Load implements AutoCloseable {
  private static final long STOP_MS = 60_000;

  private final Region region;

  /** Written by the one thread alone. */
  private volatile Count count = new Count(0, 0);

  private final Thread thread;
  private volatile int perSecond;
  private volatile boolean ended;

  /** Requests that were answered, and those of them that were admitted. */
  record Count(long asked, long admitted) {
    Count plus(boolean one) {
      return new Count(asked + 1, admitted + (one ? 1 : 0));
    }

    Count since(Count earlier) {
      return new Count(asked - earlier.asked, admitted - earlier.admitted);
    }
  }

  private Load(Region region, int perSecond) {
    this.region = region;
    this.perSecond = perSecond;
    this.thread = new Thread(this::call, "load-" + region.name());
  }

  static Load on(Region region, int perSecond) {
    Load load = new Load(region, perSecond);
    load.thread.start();
    return load;
  }

  private void call() {
    long nextNanos = System.nanoTime();
    while (!ended) {
      boolean admitted = region.admits();
      count = count.plus(admitted);
      nextNanos += TimeUnit.SECONDS.toNanos(1) / perSecond;
      LockSupport.parkNanos(nextNanos - System.nanoTime()); // returns at once when it is late
    }
  }

  void perSecond(int requests) {
    perSecond = requests;
  }

  /** What was answered so far. */
  Count count() {
    return count;
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
