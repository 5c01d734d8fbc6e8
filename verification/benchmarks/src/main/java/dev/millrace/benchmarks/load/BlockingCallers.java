package dev.millrace.benchmarks.load;

import dev.millrace.LimiterUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Threads that ask again as soon as they are answered. One request in each bunch is timed: every
 * one where a request takes a round trip, few where the clock would be what is measured.
 */
public final class BlockingCallers implements LoadGenerator {
  private final Course course;
  private final Tallies tallies;
  private final int bunch;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  /** One thread for each of {@code asks}, every request timed. */
  public BlockingCallers(Course course, Tallies tallies, List<? extends Ask> asks) {
    this(course, tallies, asks, /* bunch= */ 1);
  }

  /** One thread for each of {@code asks}, one request in {@code bunch} timed. */
  public BlockingCallers(Course course, Tallies tallies, List<? extends Ask> asks, int bunch) {
    this.course = course;
    this.bunch = bunch;
    this.tallies = tallies;
    for (Ask ask : asks) {
      Thread thread = new Thread(() -> loop(ask), "bench-caller-" + threads.size());
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  @Override
  public void start() {
    threads.forEach(Thread::start);
  }

  private void loop(Ask ask) {
    try {
      ThreadTally tally = tallies.own();
      long startNanos = System.nanoTime();
      while (!course.isEnded()) {
        if (bunch > 1) {
          for (int i = 1; i < bunch; i++) {
            one(ask, tally);
          }
          startNanos = System.nanoTime();
        }
        one(ask, tally);
        // One look at the clock for each: the end of one is the start of the next.
        long endNanos = System.nanoTime();
        if (course.stage() == Stage.MEASURED) {
          tally.took(endNanos - startNanos);
        }
        startNanos = endNanos;
      }
    } catch (RuntimeException | Error thrown) {
      broken.compareAndSet(null, thrown);
    }
  }

  private void one(Ask ask, ThreadTally tally) {
    try {
      tally.answered(ask.ask());
    } catch (LimiterUnavailableException e) {
      tallies.failed(e);
    }
  }

  @Override
  public void awaitStopped() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable thrown = broken.get();
    if (thrown != null) {
      throw new IllegalStateException("a caller broke: " + thrown, thrown);
    }
  }
}
