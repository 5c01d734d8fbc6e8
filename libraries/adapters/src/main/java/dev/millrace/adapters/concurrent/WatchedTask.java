package dev.millrace.adapters.concurrent;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A task with a future. The future keeps the exception of the task, so the executing thread must
 * check it.
 */
final class WatchedTask<T extends @Nullable Object> extends FutureTask<T> {
  /** Begun but not failed: the work was done, or was in progress when it was cancelled. */
  private static final class Progress {
    volatile boolean begun;
  }

  private final Progress progress;
  private volatile boolean failed;

  private WatchedTask(Callable<T> task, Progress progress) {
    super(
        () -> {
          progress.begun = true;
          return task.call();
        });
    this.progress = progress;
  }

  static <T extends @Nullable Object> WatchedTask<T> of(Callable<T> task) {
    return new WatchedTask<>(task, new Progress());
  }

  @Override
  protected void setException(Throwable thrown) {
    failed = true;
    super.setException(thrown);
  }

  /** Whether it threw, or was cancelled before it began. */
  boolean didNothing() {
    return failed || !progress.begun;
  }
}
