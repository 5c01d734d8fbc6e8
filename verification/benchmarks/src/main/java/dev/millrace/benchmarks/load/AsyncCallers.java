package dev.millrace.benchmarks.load;

import dev.millrace.LimiterUnavailableException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Callers without threads that ask again as soon as they are answered, on the thread that answered
 * them. An answer that is there at once is handled in a loop, not by recursion; after some of those
 * the caller makes room for others.
 */
public final class AsyncCallers implements LoadGenerator {
  /** Answers that a caller takes in a row without making room. */
  private static final int MAX_IN_A_ROW = 64;

  /** No request takes this long; one that does was lost. */
  private static final long MAX_STOP_SECONDS = 60;

  private final Course course;
  private final Tallies tallies;
  private final List<? extends AsyncAsk> asks;
  private final CountDownLatch running;
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  /** One caller for each of {@code asks}. */
  public AsyncCallers(Course course, Tallies tallies, List<? extends AsyncAsk> asks) {
    this.course = course;
    this.tallies = tallies;
    this.asks = List.copyOf(asks);
    this.running = new CountDownLatch(asks.size());
  }

  @Override
  public void start() {
    for (AsyncAsk ask : asks) {
      ForkJoinPool.commonPool().execute(new Caller(ask));
    }
  }

  @Override
  public void awaitStopped() throws InterruptedException {
    boolean stopped = running.await(MAX_STOP_SECONDS, TimeUnit.SECONDS);
    Throwable thrown = broken.get();
    if (thrown != null || !stopped) {
      throw new IllegalStateException(
          thrown != null ? "a caller broke: " + thrown : "a request was never answered", thrown);
    }
  }

  private final class Caller implements Runnable {
    private final AsyncAsk ask;
    private long startNanos;

    Caller(AsyncAsk ask) {
      this.ask = ask;
    }

    @Override
    public void run() {
      for (int i = 0; i < MAX_IN_A_ROW; i++) {
        if (course.isEnded()) {
          running.countDown();
          return;
        }
        startNanos = System.nanoTime();
        CompletableFuture<Boolean> asked;
        try {
          asked = ask.ask().toCompletableFuture();
        } catch (RuntimeException | Error thrown) {
          asked = CompletableFuture.failedFuture(thrown);
        }
        if (!isAnsweredHere(asked)) {
          return;
        }
      }
      ForkJoinPool.commonPool().execute(this);
    }

    /** Whether the answer came before we left; else the caller goes on when it comes. */
    private boolean isAnsweredHere(CompletableFuture<Boolean> asked) {
      SynchronousAnswer immediate = new SynchronousAnswer();
      CompletableFuture<Boolean> unused =
          asked.whenComplete(
              (granted, failure) -> {
                boolean goesOn = answered(granted, failure);
                if (immediate.isHere()) {
                  immediate.answered = goesOn;
                } else if (goesOn) {
                  run();
                }
              });
      immediate.left = true;
      return immediate.answered;
    }

    /** Counts an answer; returns whether the caller goes on. */
    private boolean answered(@Nullable Boolean granted, @Nullable Throwable failure) {
      ThreadTally tally = tallies.own();
      if (course.stage() == Stage.MEASURED) {
        tally.took(System.nanoTime() - startNanos);
      }
      if (granted != null) {
        tally.answered(granted);
        return true;
      }
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (cause instanceof LimiterUnavailableException unavailable) {
        tallies.failed(unavailable);
        return true;
      }
      broken.compareAndSet(null, cause);
      running.countDown();
      return false;
    }
  }

  /** Tells an answer that comes while the caller is still there from one that comes later. */
  private static final class SynchronousAnswer {
    private final Thread caller = Thread.currentThread();
    // Both are used by the caller's thread only.
    private boolean left;
    private boolean answered;

    boolean isHere() {
      return Thread.currentThread() == caller && !left;
    }
  }
}
