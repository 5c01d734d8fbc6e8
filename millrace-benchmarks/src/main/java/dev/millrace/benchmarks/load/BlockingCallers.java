package dev.millrace.benchmarks.load;

import dev.millrace.core.error.LimiterUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that ask again as soon as they are answered. */
public final class BlockingCallers implements Callers {
  private final Course course;
  private final Tallies tallies;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  /** One thread for each of {@code asks}. */
  public BlockingCallers(Course course, Tallies tallies, List<? extends Ask> asks) {
    this.course = course;
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
      Tally tally = tallies.own();
      long startNanos = System.nanoTime();
      while (!course.isEnded()) {
        one(ask, tally);
        // One clock reading for each request: the end of one is the start of the next.
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

  private void one(Ask ask, Tally tally) {
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
