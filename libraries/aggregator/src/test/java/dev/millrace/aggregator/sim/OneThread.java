package dev.millrace.aggregator.sim;

import dev.millrace.Threads;
import dev.millrace.TimeSource;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** Everything a limiter does is done by its caller, so that a seed tells what happens. */
record OneThread(TimeSource time) implements Threads {
  private static final long NANOS_PER_MS = 1_000_000;

  @Override
  public long nanoTime() {
    return time.elapsedMs() * NANOS_PER_MS;
  }

  @Override
  public boolean await(CompletableFuture<?> event, long maxNanos) {
    if (!event.isDone()) {
      throw new AssertionError("nobody is left who could do it");
    }
    return true;
  }

  @Override
  public ExecutorService helpers(String name, int maxThreads) {
    return new AbstractExecutorService() {
      @Override
      public void execute(Runnable task) {
        task.run();
      }

      @Override
      public void shutdown() {}

      @Override
      public List<Runnable> shutdownNow() {
        return List.of();
      }

      @Override
      public boolean isShutdown() {
        return false;
      }

      @Override
      public boolean isTerminated() {
        return false;
      }

      @Override
      public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
      }
    };
  }
}
