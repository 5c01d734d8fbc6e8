package dev.millrace.aggregator.internal;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A queue of the remaining writes, shared by a caller and its helper threads. */
final class RemainingWrites {
  private final Iterator<PendingUsage> queue;
  private @Nullable Throwable failure;
  private boolean closed;
  private int helpers;

  RemainingWrites(Iterator<PendingUsage> queue) {
    this.queue = queue;
  }

  /** The next write, null when there is none, or after a stop. */
  synchronized @Nullable PendingUsage next() {
    return failure != null || !queue.hasNext() ? null : queue.next();
  }

  /** Stops: no further write is attempted. */
  synchronized void stop(Throwable why) {
    failure = failure == null ? why : failure;
  }

  /** The reason of the stop, null when it was not stopped. */
  synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Registers a helper thread; returns whether writes remain. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    helpers++;
    return true;
  }

  /** Unregisters a helper thread. */
  synchronized void leave() {
    helpers--;
    notifyAll();
  }

  /**
   * Waits for the helpers that have begun; later ones find nothing. An interrupt is kept for the
   * caller.
   */
  synchronized void awaitHelpers() {
    closed = true;
    boolean interrupted = false;
    while (helpers > 0) { // ends: every write has a time limit and a number of tries
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
