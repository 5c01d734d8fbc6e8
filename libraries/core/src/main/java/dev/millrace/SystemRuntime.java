package dev.millrace;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** The machine's own clock and threads. */
enum SystemRuntime implements TimeSource, Threads {
  INSTANCE;

  /** How long a helper waits for its next task before it goes. */
  private static final long IDLE_SECONDS = 10;

  private static final AtomicInteger HELPERS = new AtomicInteger();

  @Override
  public long nowMs() {
    return System.currentTimeMillis();
  }

  @Override
  public long elapsedMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  @Override
  public CompletableFuture<Void> after(long delayMs) {
    // Completed early, the JDK cancels the timer behind it.
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, Math.max(0, delayMs), TimeUnit.MILLISECONDS);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException {
    try {
      event.get(maxNanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return event.isDone();
    } catch (ExecutionException | CancellationException e) {
      return true; // it is done: the caller looks itself
    }
  }

  @Override
  public ExecutorService helpers(String name, int maxThreads) {
    return new ThreadPoolExecutor(
        0,
        maxThreads,
        IDLE_SECONDS,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(), // never queues: a task that waits for a thread helps nobody
        task -> {
          Thread thread = new Thread(task, "millrace-" + name + "-" + HELPERS.incrementAndGet());
          thread.setDaemon(true);
          return thread;
        });
  }
}
