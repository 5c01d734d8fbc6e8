package dev.millrace.examples.tworegions;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Callers of one region: so many requests a second, on a thread of their own. */
final class Load implements AutoCloseable {
  private static final long STOP_MS = 60_000;

  private final Region region;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong admitted = new AtomicLong();
  private final Thread thread;
  private volatile int perSecond;
  private volatile boolean ended;

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
      asked.incrementAndGet();
      if (region.admits()) {
        admitted.incrementAndGet();
      }
      nextNanos += TimeUnit.SECONDS.toNanos(1) / perSecond;
      LockSupport.parkNanos(nextNanos - System.nanoTime()); // returns at once when it is late
    }
  }

  void perSecond(int requests) {
    perSecond = requests;
  }

  /** So far. */
  long asked() {
    return asked.get();
  }

  /** So far. */
  long admitted() {
    return admitted.get();
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
