package dev.millrace.simulator;

import dev.millrace.Threads;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The threads of one life of a process: all of them end with it. */
final class SimThreads implements Threads {
  private final Loop loop;
  private final Life life;

  SimThreads(Loop loop, Life life) {
    this.loop = loop;
    this.life = life;
  }

  @Override
  public long nanoTime() {
    return loop.nowNanos();
  }

  @Override
  public boolean await(CompletableFuture<?> event, long maxNanos) throws InterruptedException {
    return loop.await(event, maxNanos);
  }

  @Override
  public ExecutorService helpers(String name, int maxThreads) {
    return new Helpers(maxThreads);
  }

  private final class Helpers extends AbstractExecutorService {
    private final int maxThreads;
    private int busy;
    private boolean shutdown;

    Helpers(int maxThreads) {
      this.maxThreads = maxThreads;
    }

    @Override
    public void execute(Runnable task) {
      if (shutdown || busy >= maxThreads) {
        throw new RejectedExecutionException(maxThreads + " helpers are busy");
      }
      busy++;
      life.spawn(
          () -> {
            try {
              task.run();
            } finally {
              busy--;
            }
          });
    }

    @Override
    public void shutdown() {
      shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown = true;
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return shutdown;
    }

    @Override
    public boolean isTerminated() {
      return shutdown && busy == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return isTerminated();
    }
  }
}
