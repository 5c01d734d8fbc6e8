package dev.millrace.proving.http;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * So many callers, each of which asks again when it was answered, and at least once. They begin
 * with a quarter of the time that does not count, in which everything warms up.
 */
final class ClosedLoopLoad {
  private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(1);
  private static final int DIGITS = 3;
  private static final double WARM_UP_PART = 0.25;

  private final int callers;
  private final IntFunction<CompletionStage<Boolean>> ask;

  /**
   * Callers that ask.
   *
   * @param ask by caller: whether it was answered as it should be
   */
  ClosedLoopLoad(int callers, IntFunction<CompletionStage<Boolean>> ask) {
    this.callers = callers;
    this.ask = ask;
  }

  /** Asks for {@code seconds}, after a while to warm up. */
  Figures run(String name, double seconds) {
    new Phase().run(seconds * WARM_UP_PART);
    Phase measured = new Phase();
    double elapsed = measured.run(seconds);
    return Figures.of(name, measured.micros, elapsed, measured.failed.sum());
  }

  private final class Phase {
    private final ConcurrentHistogram micros = new ConcurrentHistogram(MAX_MICROS, DIGITS);
    private final LongAdder failed = new LongAdder();
    private long untilNanos;

    /** How many seconds passed until the last was answered. */
    double run(double seconds) {
      long beginNanos = System.nanoTime();
      untilNanos = beginNanos + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
      CompletableFuture<?>[] all = new CompletableFuture<?>[callers];
      for (int i = 0; i < callers; i++) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        all[i] = ended;
        next(i, ended);
      }
      CompletableFuture.allOf(all).join();
      return (System.nanoTime() - beginNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** A loop, not a recursion, as long as answers are there at once. */
    private void next(int caller, CompletableFuture<Void> ended) {
      while (!ended.isDone()) { // ends when the time is up
        long begin = System.nanoTime();
        CompletableFuture<Boolean> answer = ask.apply(caller).toCompletableFuture();
        if (!answer.isDone()) {
          CompletableFuture<?> unused =
              answer.whenComplete(
                  (well, error) -> {
                    count(begin, error == null && well, ended);
                    next(caller, ended);
                  });
          return;
        }
        count(begin, !answer.isCompletedExceptionally() && answer.join(), ended);
      }
    }

    private void count(long begin, boolean well, CompletableFuture<Void> ended) {
      long now = System.nanoTime();
      if (well) {
        micros.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(now - begin)));
      } else {
        failed.increment();
      }
      if (now - untilNanos >= 0) {
        ended.complete(null);
      }
    }
  }
}
