package dev.millrace.client.internal.write;

import dev.millrace.TimeSource;
import dev.millrace.client.internal.store.HelperThreads;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the settlements of buckets are written: a queue of buckets by the time at
 * which each is due, with a timer for the first, and a bound on the writes that are under way. It
 * also counts what waits and what is under way, so that a limiter that closes knows when all is
 * written.
 */
public final class SettlementSchedule {
  /** Most writes at a time for what is due. */
  public static final int MAX_WRITES = 24;

  /** How long after the first failed write the next one is due. */
  static final long FIRST_RETRY_MS = 100;

  private final TimeSource time;
  private final HelperThreads background;
  private final BiFunction<OperationRunner, PendingBucket, CompletableFuture<?>> write;
  private final Consumer<PendingBucket> remove;
  private final Runnable whenIdle;

  /** Buckets in the order in which they are due; guarded by itself, as the next fields are. */
  private final PriorityQueue<PendingBucket.Due> queue =
      new PriorityQueue<>(Comparator.comparingLong(PendingBucket.Due::atMs));

  private int writing;
  private int underWay;
  private @Nullable CompletableFuture<Void> timer;
  private long timerAtMs;
  private boolean stopped;

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger dispatches = new AtomicInteger();
  private volatile @Nullable OperationRunner runner;

  /**
   * An empty schedule.
   *
   * @param write writes what waits for a bucket
   * @param remove removes a bucket for which nothing waits
   * @param whenIdle runs when something has ended, and perhaps everything
   */
  SettlementSchedule(
      TimeSource time,
      HelperThreads background,
      BiFunction<OperationRunner, PendingBucket, CompletableFuture<?>> write,
      Consumer<PendingBucket> remove,
      Runnable whenIdle) {
    this.time = time;
    this.background = background;
    this.write = write;
    this.remove = remove;
    this.whenIdle = whenIdle;
  }

  /** How writes are made: by the last that is given, since one that never waits comes last. */
  public void writeBy(OperationRunner way) {
    this.runner = way;
  }

  /** {@code change} more buckets wait for a write. */
  void waiting(int change) {
    waiting.addAndGet(change);
  }

  /** A write has begun that brings a settlement, or tokens to hold ahead, into a bucket. */
  void begun() {
    synchronized (queue) {
      underWay++;
    }
  }

  /** It has ended. */
  void ended() {
    synchronized (queue) {
      underWay--;
    }
    whenIdle.run();
  }

  int underWay() {
    synchronized (queue) {
      return underWay;
    }
  }

  /** Whether nothing waits and nothing is under way; what moves from one to the other is seen. */
  boolean isIdle() {
    synchronized (queue) {
      return writing == 0 && underWay == 0 && waiting.get() == 0;
    }
  }

  /** Starts no further write. */
  void stop() {
    synchronized (queue) {
      stopped = true;
      queue.clear();
      CompletableFuture<Void> unused = arm(); // none: it frees the one that is set
    }
  }

  /** Adds a bucket, or moves it to the time at which it is due now. */
  void add(PendingBucket bucket) {
    CompletableFuture<Void> set;
    synchronized (queue) {
      PendingBucket.Due due = bucket.reschedule();
      if (due != null) {
        queue.add(due);
      }
      set = arm();
    }
    dispatchAfter(set);
  }

  /**
   * Sets the timer to what is due next.
   *
   * @return the timer, if it is a new one; it may have gone off, so it is used without the lock
   */
  private @Nullable CompletableFuture<Void> arm() {
    PendingBucket.Due next = queue.peek();
    while (next != null && !next.isCurrent()) { // ends: the queue only shrinks
      queue.poll();
      next = queue.peek();
    }
    CompletableFuture<Void> old = timer;
    if (next == null || stopped) {
      timer = null;
    } else if (old == null || timerAtMs > next.atMs()) {
      long delayMs = Math.max(0, next.atMs() - nowMs());
      timer = time.after(delayMs);
      timerAtMs = next.atMs();
    } else {
      return null;
    }
    if (old != null) {
      old.complete(null); // frees it
    }
    return timer;
  }

  private void dispatchAfter(@Nullable CompletableFuture<Void> set) {
    if (set != null) {
      CompletableFuture<Void> unused = set.thenRun(() -> wentOff(set));
    }
  }

  private void wentOff(CompletableFuture<Void> which) {
    synchronized (queue) {
      if (timer != which) {
        return;
      }
      timer = null;
    }
    dispatch();
  }

  /** Starts all writes that are due, as far as not too many are under way. */
  void dispatch() {
    if (dispatches.getAndIncrement() != 0) {
      return; // whoever is at it looks again: no deep stack when a store answers at once
    }
    int seen;
    do {
      seen = dispatches.get();
      PendingBucket next = nextDue();
      while (next != null) { // ends: each is taken off the queue
        start(next);
        next = nextDue();
      }
    } while (dispatches.addAndGet(-seen) != 0);
    whenIdle.run();
  }

  /** The next bucket that is due, which counts as being written, null for none. */
  private @Nullable PendingBucket nextDue() {
    CompletableFuture<Void> set;
    synchronized (queue) {
      PendingBucket next = takeDue();
      if (next != null || writing >= MAX_WRITES) {
        return next; // the timer is set when no more can be started
      }
      set = arm();
    }
    dispatchAfter(set);
    return null;
  }

  private @Nullable PendingBucket takeDue() {
    while (writing < MAX_WRITES && !stopped) { // ends: the queue only shrinks
      PendingBucket.Due next = queue.peek();
      if (next == null || next.atMs() > nowMs()) {
        return null;
      }
      queue.poll();
      if (!next.isCurrent()) {
        continue;
      }
      PendingBucket bucket = next.bucket();
      bucket.leavePlace();
      if (bucket.isEmpty()) {
        remove.accept(bucket);
      } else if (bucket.isDue(nowMs())) {
        writing++;
        return bucket;
      } else {
        PendingBucket.Due later = bucket.reschedule();
        if (later != null) {
          queue.add(later);
        }
      }
    }
    return null;
  }

  private void start(PendingBucket bucket) {
    OperationRunner way = runner;
    if (way == null) {
      throw new IllegalStateException("nothing can be written yet");
    }
    if (!way.blocks()) {
      CompletableFuture<?> unused =
          write.apply(way, bucket).whenComplete((done, failure) -> written(bucket));
      return;
    }
    boolean started =
        background.tryRun(
            () -> {
              try {
                CompletableFuture<?> unused = write.apply(way, bucket);
              } finally {
                written(bucket);
              }
            });
    if (!started) {
      bucket.dueAt(nowMs() + FIRST_RETRY_MS);
      written(bucket);
    }
  }

  private void written(PendingBucket bucket) {
    synchronized (queue) {
      writing--;
    }
    if (bucket.isEmpty()) {
      remove.accept(bucket);
    } else {
      add(bucket);
    }
    dispatch();
  }

  private long nowMs() {
    return time.elapsedMs();
  }
}
