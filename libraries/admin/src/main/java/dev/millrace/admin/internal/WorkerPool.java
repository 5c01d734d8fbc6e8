package dev.millrace.admin.internal;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.AdminOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The threads that process the items of a page. With a concurrency of one, everything happens on
 * the caller's thread, in order.
 */
final class WorkerPool implements AutoCloseable {
  private final int concurrency;
  private final @Nullable ExecutorService given;
  private @Nullable ExecutorService own;

  WorkerPool(AdminOptions options) {
    this.concurrency = options.concurrency();
    this.given = options.executor();
  }

  /** Applies {@code task} to every item and returns the sum; the first failure ends it. */
  <T> long sum(List<T> pieces, ToLongFunction<T> task) {
    int workers = Math.min(concurrency, pieces.size());
    AtomicInteger next = new AtomicInteger();
    Callable<Long> worker =
        () -> {
          long sum = 0;
          for (int i = next.getAndIncrement(); i < pieces.size(); i = next.getAndIncrement()) {
            try {
              sum += task.applyAsLong(pieces.get(i));
            } catch (RuntimeException | Error e) {
              next.set(pieces.size()); // no thread begins another one
              throw e;
            }
          }
          return sum;
        };
    try {
      return workers <= 1 ? worker.call() : inParallel(worker, workers);
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LimiterUnavailableException("interrupted while waiting", Map.of(), e);
    } catch (Exception e) {
      throw new IllegalStateException(e); // a task throws no checked exception
    }
  }

  private long inParallel(Callable<Long> worker, int workers) throws InterruptedException {
    List<Callable<Long>> all = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      all.add(worker);
    }
    long sum = 0;
    RuntimeException failure = null;
    for (Future<Long> done : executor().invokeAll(all)) {
      try {
        sum += done.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        failure = failure == null ? (RuntimeException) e.getCause() : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return sum;
  }

  private synchronized ExecutorService executor() {
    if (given != null) {
      return given;
    }
    if (own == null) {
      own =
          Executors.newFixedThreadPool(
              concurrency,
              task -> {
                Thread thread = new Thread(task, "millrace-admin");
                thread.setDaemon(true);
                return thread;
              });
    }
    return own;
  }

  @Override
  public synchronized void close() {
    if (own != null) {
      own.shutdown();
      own = null;
    }
  }
}
