package dev.millrace.client.internal;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Threads for the further buckets of a request, when its store only blocks: the caller's thread
 * writes the first bucket, helpers write the others at the same time. There are as many as are
 * needed at once, up to a bound; beyond it the caller does the work itself.
 */
final class Helpers {
  private final ExecutorService threads;
  private final Runnable onBusy;

  Helpers(ExecutorService threads, Runnable onBusy) {
    this.onBusy = onBusy;
    this.threads = threads;
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
