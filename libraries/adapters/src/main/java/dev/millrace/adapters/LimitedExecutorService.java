package dev.millrace.adapters;

import dev.millrace.AcquireRequest;
import dev.millrace.RateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LimitedExecutor} for an {@link ExecutorService}: each submitted task is charged, also
 * each of {@code invokeAll}. The charge of a task whose future fails is refunded, and so is that of
 * one that is cancelled or that {@link #shutdownNow()} removes before it began.
 */
public final class LimitedExecutorService extends AbstractExecutorService {
  private final ExecutorService delegate;
  private final LimitedExecutor limited;

  private LimitedExecutorService(ExecutorService delegate, LimitedExecutor limited) {
    this.delegate = delegate;
    this.limited = limited;
  }

  /** See {@link LimitedExecutor#of}. Shutting it down shuts {@code delegate} down. */
  public static LimitedExecutorService of(
      ExecutorService delegate, RateLimiter limiter, AcquireRequest request, Duration maxWait) {
    return new LimitedExecutorService(
        delegate, LimitedExecutor.of(delegate, limiter, request, maxWait));
  }

  @Override
  public void execute(Runnable task) {
    limited.execute(task);
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> task) {
    return new WatchedTask<>(task, new AtomicBoolean());
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable task, T value) {
    return newTaskFor(Executors.callable(task, value));
  }

  @Override
  public void shutdown() {
    delegate.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    return delegate.shutdownNow().stream().map(LimitedExecutorService::refunded).toList();
  }

  private static Runnable refunded(Runnable task) {
    if (task instanceof LimitedExecutor.LeasedTask leased) {
      leased.lease().cancel();
      return leased.task();
    }
    return task;
  }

  @Override
  public boolean isShutdown() {
    return delegate.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return delegate.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return delegate.awaitTermination(timeout, unit);
  }

  /**
   * A task with a future. The future keeps the exception of the task, so the executing thread must
   * check it.
   */
  static final class WatchedTask<T extends @Nullable Object> extends FutureTask<T> {
    private final AtomicBoolean begun;
    private volatile boolean failed;

    WatchedTask(Callable<T> task, AtomicBoolean begun) {
      super(
          () -> {
            begun.set(true);
            return task.call();
          });
      this.begun = begun;
    }

    @Override
    protected void setException(Throwable thrown) {
      failed = true;
      super.setException(thrown);
    }

    /** Whether it threw, or was cancelled before it began. */
    boolean didNothing() {
      return failed || !begun.get();
    }
  }
}
