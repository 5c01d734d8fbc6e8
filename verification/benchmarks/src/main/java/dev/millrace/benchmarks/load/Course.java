package dev.millrace.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The course of one run: a warm-up, the measured time, the end. Callers look at the stage. */
public final class Course {
  /** How often the state of the run is looked at, for progress and for the plots. */
  private static final Duration TICK = Duration.ofMillis(250);

  private final Duration warmUp;
  private final Duration measured;
  private final RunProgress progress;
  private volatile Stage stage = Stage.WARM_UP;

  /** A course that has not begun. */
  public Course(Duration warmUp, Duration measured, RunProgress progress) {
    this.warmUp = warmUp;
    this.measured = measured;
    this.progress = progress;
  }

  /** Where the run stands. */
  public Stage stage() {
    return stage;
  }

  /** Whether callers should stop. */
  public boolean isEnded() {
    return stage == Stage.ENDED;
  }

  /** How long is measured. */
  public Duration measured() {
    return measured;
  }

  /** Warm-up and measured time together. */
  public Duration length() {
    return warmUp.plus(measured);
  }

  /**
   * Runs {@code callers} through the whole course.
   *
   * @param spent what the limiters have spent so far
   */
  public Measurement run(
      List<? extends LoadGenerator> callers, Tallies tallies, Supplier<StoreCost> spent)
      throws InterruptedException {
    List<LoadGenerator> started = new ArrayList<>();
    try {
      for (LoadGenerator some : callers) {
        started.add(some);
        some.start();
      }
      pass(Stage.WARM_UP, warmUp, () -> {});
      StoreCost spentBefore = spent.get();
      AnswerCounts before = tallies.counts();
      List<Measurement.Sample> samples = new ArrayList<>();
      long startNanos = System.nanoTime();
      stage = Stage.MEASURED;
      pass(
          Stage.MEASURED,
          measured,
          () ->
              samples.add(
                  new Measurement.Sample(
                      System.nanoTime() - startNanos, tallies.counts().minus(before))));
      AnswerCounts counts = tallies.counts().minus(before);
      StoreCost spending = spent.get().minus(spentBefore);
      long elapsedNanos = System.nanoTime() - startNanos;
      stop(started);
      return new Measurement(
          elapsedNanos, counts, spending, tallies.latencies(), samples, tallies.failures());
    } finally {
      stop(started);
    }
  }

  private void stop(List<LoadGenerator> started) throws InterruptedException {
    stage = Stage.ENDED;
    for (LoadGenerator some : started) {
      some.awaitStopped();
    }
  }

  private void pass(Stage current, Duration length, Runnable onTick) throws InterruptedException {
    long startNanos = System.nanoTime();
    long leftNanos = length.toNanos();
    while (leftNanos > 0) {
      TimeUnit.NANOSECONDS.sleep(Math.min(leftNanos, TICK.toNanos()));
      long passedNanos = System.nanoTime() - startNanos;
      leftNanos = length.toNanos() - passedNanos;
      progress.at(current, Duration.ofNanos(passedNanos), length);
      onTick.run();
    }
  }
}
