package dev.millrace.client.internal.store;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * A bounded pool of threads that belongs to one limiter and never queues: there are as many as are
 * needed at once, and beyond the bound the caller does the work itself.
 */
public final class HelperThreads implements Executor {
  private final ExecutorService threads;
  private final Runnable onBusy;

  public HelperThreads(ExecutorService threads, Runnable onBusy) {
    this.onBusy = onBusy;
    this.threads = threads;
  }

  /**
   * Whether a helper does the task; if not, the caller must. A thread that the machine does not
   * give is one that is not free.
   */
  public boolean tryRun(Runnable task) {
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      if (!threads.isShutdown()) {
        onBusy.run();
      }
      return false;
    }
  }

  /** Does the task, on the calling thread when no helper is free. */
  @Override
  public void execute(Runnable task) {
    if (!tryRun(task)) {
      task.run();
    }
  }

  /** Lets those at work finish, and takes no more. */
  public void close() {
    threads.shutdown();
  }
}
