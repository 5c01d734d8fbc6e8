package dev.millrace.adapters.concurrent;

import dev.millrace.AcquireRequest;
import dev.millrace.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LimitedExecutor} for an {@link ExecutorService}: each submitted task is charged, also
 * each of {@code invokeAll}. The charge of a task whose future fails is refunded, and so is that of
 * one that is cancelled or that {@link #shutdownNow()} removes before it began.
 */
public final class LimitedExecutorService extends AbstractExecutorService {
  private final ExecutorService behind;
  private final LimitedExecutor limited;

  private LimitedExecutorService(ExecutorService behind, LimitedExecutor limited) {
    this.behind = behind;
    this.limited = limited;
  }

  /** See {@link LimitedExecutor#of}. Shutting it down shuts {@code behind} down. */
  public static LimitedExecutorService of(
      ExecutorService behind, RateLimiter limiter, AcquireRequest request, Duration maxWait) {
    return new LimitedExecutorService(
        behind, LimitedExecutor.of(behind, limiter, request, maxWait));
  }

  @Override
  public void execute(Runnable task) {
    limited.execute(task);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> task) {
    return WatchedTask.of(task);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable task, T value) {
    return WatchedTask.of(
        () -> {
          task.run();
          return value;
        });
  }

  @Override
  public void shutdown() {
    behind.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return behind.shutdownNow().stream().map(LimitedExecutorService::takenOut).toList();
  }

  private static Runnable takenOut(Runnable task) {
    if (task instanceof LeasedTask leased) {
      leased.giveBack();
      return leased.task();
    }
    return task;
  }

  @Override
  public boolean isShutdown() {
    return behind.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return behind.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return behind.awaitTermination(timeout, unit);
  }
}
