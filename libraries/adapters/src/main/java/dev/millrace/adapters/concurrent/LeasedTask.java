package dev.millrace.adapters.concurrent;

import dev.millrace.Lease;

/** A task with the lease of its charge. */
final class LeasedTask implements Runnable {
  private final Runnable task;
  private final Lease lease;

  LeasedTask(Runnable task, Lease lease) {
    this.task = task;
    this.lease = lease;
  }

  /** The submitted task. */
  Runnable task() {
    return task;
  }

  @Override
  public void run() {
    try {
      task.run();
    } catch (Throwable failure) {
      giveBack(failure);
      throw failure;
    }
    if (task instanceof WatchedTask<?> watched && watched.didNothing()) {
      lease.cancel();
    } else {
      lease.close();
    }
  }

  void giveBack(Throwable failure) {
    try {
      lease.cancel();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  /** Ends the lease of a task that will not run. */
  void giveBack() {
    lease.cancel();
  }
}
