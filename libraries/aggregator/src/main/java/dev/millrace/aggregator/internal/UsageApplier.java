package dev.millrace.aggregator.internal;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.usage.UsageReply;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.core.spi.usage.UsageWrite;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The writer of usage. A write whose answer was lost is simply sent again: its guard detects
 * whether it was applied. Items are independent of each other, so they are written at the same time
 * when there is an executor.
 */
final class UsageApplier {
  /** Most refusals of one item in a batch, each caused by another writer. */
  static final int MAX_REFUSALS = 8;

  /** Most attempts of one write whose answer does not arrive. */
  static final int MAX_FAILURES = 3;

  /** Most items that are written at the same time. */
  static final int MAX_LANES = 16;

  private final UsageStore store;
  private final @Nullable Executor executor;
  private final AggregatorListeners listeners;

  UsageApplier(UsageStore store, @Nullable Executor executor, AggregatorListeners listeners) {
    this.store = store;
    this.executor = executor;
    this.listeners = listeners;
  }

  /** Writes all items. Returns the reason why it could not, null when it could. */
  @Nullable Throwable apply(List<PendingUsage> pending) {
    RemainingWrites left = new RemainingWrites(pending.iterator());
    help(left, Math.min(MAX_LANES, pending.size()) - 1);
    try {
      lane(left);
    } finally {
      left.awaitHelpers();
    }
    return left.failure();
  }

  /** The caller takes part, so that nothing waits for busy threads. */
  private void help(RemainingWrites left, int helpers) {
    if (executor == null) {
      return;
    }
    try {
      for (int i = 0; i < helpers; i++) {
        executor.execute(
            () -> {
              if (left.enter()) {
                try {
                  lane(left);
                } finally {
                  left.leave();
                }
              }
            });
      }
    } catch (RejectedExecutionException e) {
      // Fewer threads are enough.
    }
  }

  private void lane(RemainingWrites left) {
    for (@Nullable PendingUsage next = left.next(); next != null; next = left.next()) {
      @Nullable Throwable failure = null;
      try {
        failure = write(next);
      } catch (Error e) {
        left.stop(e);
        throw e;
      }
      if (failure != null) {
        left.stop(failure); // the store is in trouble; the remaining writes come again
      }
    }
  }

  private @Nullable Throwable write(PendingUsage pending) {
    int refusals = 0;
    int failures = 0;
    while (!pending.isDone()) {
      UsageWrite write = pending.next();
      UsageReply reply;
      try {
        reply = store.apply(write);
      } catch (RuntimeException e) { // a mistake in set-up: nothing of the batch is lost by it
        return e;
      }
      if (reply instanceof UsageReply.Applied) {
        pending.applied();
        listeners.publish(listener -> listener.onWritten(write));
      } else if (reply instanceof UsageReply.Refused refused) {
        pending.refused(refused.item());
        listeners.publish(listener -> listener.onRefused(write));
        if (++refusals == MAX_REFUSALS && !pending.isDone()) {
          return failed(write, new StoreFailure(StoreFailure.Kind.CONTENDED, null));
        }
      } else if (reply instanceof UsageReply.Corrupt corrupt) {
        pending.spoilt(corrupt.error()); // another attempt would find the same
      } else {
        StoreFailure failure = ((UsageReply.Failed) reply).failure();
        listeners.publish(listener -> listener.onWriteFailed(write, failure));
        if (++failures == MAX_FAILURES) {
          return failed(write, failure);
        }
      }
    }
    return null;
  }

  static MillraceException failed(UsageWrite write, StoreFailure failure) {
    return new MillraceException(
        "usage could not be written",
        Map.of("key", write.key(), "failure", failure.kind()),
        failure.cause());
  }

  /** The remaining writes, shared by a caller and its helper threads. */
  private static final class RemainingWrites {
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

    /** No further write is attempted. */
    synchronized void stop(Throwable why) {
      failure = failure == null ? why : failure;
    }

    synchronized @Nullable Throwable failure() {
      return failure;
    }

    /** Registers a helper thread; returns whether writes remain. */
    synchronized boolean enter() {
      helpers += closed ? 0 : 1;
      return !closed;
    }

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
}
