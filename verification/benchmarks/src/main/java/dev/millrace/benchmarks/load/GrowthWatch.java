package dev.millrace.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Looks once a second, from the beginning of the measured time, at how a run is going. */
public final class GrowthWatch implements LoadGenerator {
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A last look that comes sooner after the one before says nothing about a second. */
  private static final long LEAST_NANOS = SECOND_NANOS * 9 / 10;

  private final Course course;
  private final Tallies tallies;
  private final Supplier<StoreCost> spent;
  private final IntSupplier shards;
  private final List<Growth.Second> seconds = new ArrayList<>();
  private final Thread watcher = new Thread(this::watch, "bench-watch");

  /**
   * A watch that has not begun.
   *
   * @param spent what the limiters have spent so far
   * @param shards how many shards there are
   */
  public GrowthWatch(
      Course course, Tallies tallies, Supplier<StoreCost> spent, IntSupplier shards) {
    this.course = course;
    this.tallies = tallies;
    this.spent = spent;
    this.shards = shards;
    watcher.setDaemon(true);
  }

  @Override
  public void start() {
    watcher.start();
  }

  private void watch() {
    while (course.stage() == Stage.WARM_UP) {
      LockSupport.parkNanos(NAP_NANOS);
    }
    long fromNanos = System.nanoTime();
    long dueNanos = fromNanos;
    AnswerCounts counts = tallies.counts();
    StoreCost spending = spent.get();
    while (!course.isEnded()) {
      dueNanos += SECOND_NANOS;
      while (System.nanoTime() < dueNanos && !course.isEnded()) {
        LockSupport.parkNanos(NAP_NANOS);
      }
      if (course.isEnded() && System.nanoTime() - fromNanos < LEAST_NANOS) {
        return;
      }
      fromNanos = System.nanoTime();
      AnswerCounts countsNow = tallies.counts();
      StoreCost spendingNow = spent.get();
      add(countsNow.minus(counts), spendingNow.minus(spending));
      counts = countsNow;
      spending = spendingNow;
    }
  }

  private void add(AnswerCounts counts, StoreCost spending) {
    seconds.add(
        new Growth.Second(
            seconds.size() + 1,
            counts.admitted(),
            counts.failed(),
            spending.writes(),
            spending.throttled(),
            shards.getAsInt()));
  }

  @Override
  public void awaitStopped() throws InterruptedException {
    watcher.join();
  }

  /** What was seen, once it has stopped. */
  public Growth growth() {
    return new Growth(seconds);
  }
}
