package dev.millrace.client.internal;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for the further buckets of a request, when its store only blocks: the caller's thread
 * writes the first bucket, helpers write the others at the same time. There are as many as are
 * needed at once, up to a bound; beyond it the caller does the work itself.
 */
final class Helpers {
  private static final long IDLE_SECONDS = 10;
  private static final AtomicInteger THREADS = new AtomicInteger();

  private final ThreadPoolExecutor threads;
  private final Runnable onBusy;

  Helpers(int maxThreads, Runnable onBusy) {
    this.onBusy = onBusy;
    this.threads =
        new ThreadPoolExecutor(
            0,
            maxThreads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(), // never queues: a leg that waits for a thread helps nobody
            task -> {
              Thread thread = new Thread(task, "millrace-leg-" + THREADS.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Whether a helper does the task; if not, the caller must. */
  boolean tryRun(Runnable task) {
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      if (!threads.isShutdown()) {
        onBusy.run();
      }
      return false;
    }
  }

  /** Lets those at work finish, and takes no more. */
  void close() {
    threads.shutdown();
  }
}
