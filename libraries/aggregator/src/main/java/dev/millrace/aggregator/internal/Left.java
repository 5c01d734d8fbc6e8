package dev.millrace.aggregator.internal;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** What is left to write, for one caller and those who help it. */
final class Left {
  private final Iterator<Pending> queue;
  private @Nullable Throwable failure;
  private boolean closed;
  private int helpers;

  Left(Iterator<Pending> queue) {
    this.queue = queue;
  }

  /** The next one, null when there is none, or when nothing more is to be tried. */
  synchronized @Nullable Pending next() {
    return failure != null || !queue.hasNext() ? null : queue.next();
  }

  /** Nothing more is to be tried. */
  synchronized void stop(Throwable why) {
    failure = failure == null ? why : failure;
  }

  /** Why it was stopped, null when it was not. */
  synchronized @Nullable Throwable failure() {
    return failure;
  }

  /** Somebody begins to help; whether there is still anything to help with. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    helpers++;
    return true;
  }

  /** Somebody who helped is done. */
  synchronized void leave() {
    helpers--;
    notifyAll();
  }

  /**
   * Waits for those who have begun to help; those who have not come too late. An interrupt is kept
   * for the caller.
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
