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

  private final int maxQueued;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<QueuedOperation> queue = new ArrayDeque<>();
  private boolean busy;

  public WriteQueue(int maxQueued) {
    this.maxQueued = maxQueued;
  }

  /** The batch that {@code member} shall lead, or null when it must wait to be told. */
  public @Nullable List<QueuedOperation> submit(QueuedOperation member) {
    boolean gives = member.demand().kind() == BucketDemand.Kind.SETTLE;
    lock.lock();
    try {
      if (!busy) {
        busy = true;
        return List.of(member);
      }
      // What a call has cost, or did not cost, must not be lost; each was let in as a request
      // before.
      if (queue.size() >= maxQueued && !gives) {
        throw new FullException();
      }
      queue.add(member);
      return null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps an idle channel from sending, as if a write were under way, until {@link #finish} is
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
   * The next batch, or null when the channel is idle from now on. A batch is everyone who waits, as
   * long as they agree on what holds for the bucket.
   */
  public @Nullable List<QueuedOperation> finish() {
    lock.lock();
    try {
      QueuedOperation first = queue.poll();
      if (first == null) {
        busy = false;
        return null;
      }
      List<QueuedOperation> batch = new ArrayList<>(queue.size() + 1);
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
   * Puts those who wait in line into the order of the line: threads that may ask at the same time
   * come in any order. Everybody else stays where it is.
   */
  private static void inOrder(List<QueuedOperation> batch) {
    List<QueuedOperation> inLine = new ArrayList<>(0);
    for (QueuedOperation member : batch) {
      if (member.numberInLine() != 0) {
        inLine.add(member);
      }
    }
    if (inLine.size() > 1) {
      inLine.sort(Comparator.comparingLong(QueuedOperation::numberInLine));
      Iterator<QueuedOperation> next = inLine.iterator();
      batch.replaceAll(member -> member.numberInLine() == 0 ? member : next.next());
    }
  }

  /** Whether a write is under way, so that whoever comes now shares the next. */
  public boolean isBusy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  /** Takes a member out of the queue; false when it has left already. */
  public boolean withdraw(QueuedOperation member) {
    lock.lock();
    try {
      return queue.remove(member);
    } finally {
      lock.unlock();
    }
  }
}
