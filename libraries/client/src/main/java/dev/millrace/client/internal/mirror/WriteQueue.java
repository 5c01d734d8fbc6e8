package dev.millrace.client.internal.mirror;

import dev.millrace.core.internal.protocol.BucketDemand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A per-bucket queue that lets concurrent operations share one write. At most one write of a bucket
 * is under way at a time. An operation that finds none is written at once; those that arrive
 * meanwhile wait and form the next batch.
 *
 * <p>The queue has no thread and sends nothing. The caller whose operation finds it idle leads: it
 * carries out the conversation for its batch, delivers the outcomes to the others, and makes a
 * caller of the next batch the leader of that. The lock is held for a few instructions, never
 * across I/O.
 */
public final class WriteQueue {
  /** A demand that could not be queued. */
  public static final class FullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FullException() {
      super("the queue is full", null, false, /* writableStackTrace= */ false);
    }
  }

  /** A write that takes no longer is not worth parking a thread for: it made no round trip. */
  public static final long FAST_NANOS = 50_000;

  private final int maxQueued;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<BucketOperation> queue = new ArrayDeque<>();
  private boolean busy;
  private volatile boolean fast;

  public WriteQueue(int maxQueued) {
    this.maxQueued = maxQueued;
  }

  /** The batch that the caller of {@code operation} leads, or null when it waits for a signal. */
  public @Nullable List<BucketOperation> submit(BucketOperation operation) {
    lock.lock();
    try {
      if (!busy) {
        busy = true;
        return List.of(operation);
      }
      // A settlement must not be lost; each was accepted as a request before.
      if (queue.size() >= maxQueued && operation.demand().kind() != BucketDemand.Kind.SETTLE) {
        throw new FullException();
      }
      queue.add(operation);
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps an idle queue from sending, as if a write were under way, until {@link #finish} is
   * called; false when one is.
   */
  public boolean hold() {
    lock.lock();
    try {
      boolean idle = !busy;
      busy = true;
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a write if nothing waits for the next one; whether that was so. */
  public boolean becomesIdle() {
    lock.lock();
    try {
      boolean idle = queue.isEmpty();
      busy = !idle;
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next batch, or null when the queue is idle from now on. A batch is all operations that
   * wait, up to the first with other limits.
   */
  public @Nullable List<BucketOperation> finish() {
    lock.lock();
    try {
      BucketOperation first = queue.poll();
      if (first == null) {
        busy = false;
        return null;
      }
      List<BucketOperation> batch = new ArrayList<>(queue.size() + 1);
      batch.add(first);
      while (!queue.isEmpty() && queue.peek().terms().equals(first.terms())) {
        batch.add(queue.poll());
      }
      inOrder(batch);
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts the operations of callers in a wait line into the order of the line: threads that may ask
   * at the same time come in any order. The others keep their places.
   */
  private static void inOrder(List<BucketOperation> batch) {
    List<BucketOperation> inLine = new ArrayList<>(0);
    for (BucketOperation operation : batch) {
      if (operation.numberInLine() != 0) {
        inLine.add(operation);
      }
    }
    if (inLine.size() > 1) {
      inLine.sort(Comparator.comparingLong(BucketOperation::numberInLine));
      Iterator<BucketOperation> next = inLine.iterator();
      batch.replaceAll(each -> each.numberInLine() == 0 ? each : next.next());
    }
  }

  /** Notes how long a write took. */
  public void took(long nanos) {
    boolean isFast = nanos < FAST_NANOS;
    if (fast != isFast) {
      fast = isFast;
    }
  }

  /** Whether the last write took less than {@link #FAST_NANOS}. */
  public boolean isFast() {
    return fast;
  }

  /** Whether a write is under way, so that the next operation shares the one after it. */
  public boolean isBusy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  /** Takes an operation out of the queue; false when it has left already. */
  public boolean withdraw(BucketOperation operation) {
    lock.lock();
    try {
      return queue.remove(operation);
    } finally {
      lock.unlock();
    }
  }
}
