package dev.millrace.benchmarks.load;

import dev.millrace.LimiterUnavailableException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Requests that come at their own rate, whatever becomes of those before. Processes take turns, so
 * that their requests are evenly staggered. One thread sends; when it was held up, it sends what is
 * overdue at once.
 */
public final class OpenLoop implements LoadGenerator {
  /** No request takes this long; one that does was lost. */
  private static final long MAX_STOP_SECONDS = 60;

  private final Course course;
  private final Tallies tallies;
  private final List<? extends AsyncAsk> processes;
  private final double gapNanos;
  private final Thread sender = new Thread(this::send, "bench-sender");
  private final AtomicLong underWay = new AtomicLong();
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  /** {@code perSecond} requests a second of each of {@code processes}. */
  public OpenLoop(
      Course course, Tallies tallies, List<? extends AsyncAsk> processes, double perSecond) {
    this.course = course;
    this.tallies = tallies;
    this.processes = List.copyOf(processes);
    this.gapNanos = 1e9 / (perSecond * processes.size());
    sender.setDaemon(true);
  }

  @Override
  public void start() {
    sender.start();
  }

  private void send() {
    try {
      long startNanos = System.nanoTime();
      for (long k = 0; !course.isEnded(); k++) {
        long dueNanos = startNanos + (long) (k * gapNanos);
        long leftNanos = dueNanos - System.nanoTime();
        while (leftNanos > 0 && !course.isEnded()) {
          LockSupport.parkNanos(Math.min(leftNanos, TimeUnit.MILLISECONDS.toNanos(100)));
          leftNanos = dueNanos - System.nanoTime();
        }
        one(processes.get((int) (k % processes.size())));
      }
    } catch (RuntimeException | Error thrown) {
      broken.compareAndSet(null, thrown);
    }
  }

  private void one(AsyncAsk process) {
    long startNanos = System.nanoTime();
    underWay.incrementAndGet();
    var unused =
        process
            .ask()
            .whenComplete(
                (granted, failure) -> {
                  answered(granted, failure, System.nanoTime() - startNanos);
                  underWay.decrementAndGet();
                });
  }

  private void answered(@Nullable Boolean granted, @Nullable Throwable failure, long tookNanos) {
    ThreadTally tally = tallies.own();
    if (course.stage() == Stage.MEASURED) {
      tally.took(tookNanos);
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (granted != null) {
      tally.answered(granted);
    } else if (cause instanceof LimiterUnavailableException unavailable) {
      tallies.failed(unavailable);
    } else {
      broken.compareAndSet(null, cause);
    }
  }

  @Override
  public void awaitStopped() throws InterruptedException {
    sender.join();
    long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_STOP_SECONDS);
    while (underWay.get() > 0) {
      if (System.nanoTime() > deadlineNanos) {
        throw new IllegalStateException(underWay.get() + " requests were never answered");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    Throwable thrown = broken.get();
    if (thrown != null) {
      throw new IllegalStateException("a caller broke: " + thrown, thrown);
    }
  }
}
