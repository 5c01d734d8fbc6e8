package dev.millrace.benchmarks.load;

import dev.millrace.LimiterUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Two contenders on the same threads, in short slices by turns: whatever else the machine does
 * meets both alike, so that the ratio of the two means something on a noisy machine.
 *
 * <p>A thread looks at the clock once in a bunch of requests, and times one of them. A bunch of one
 * is right for requests that take a round trip; where a request takes tens of nanoseconds, the
 * clock would be what is measured.
 */
public final class Alternation implements LoadGenerator {
  /** Long enough to mean something, short enough for many turns. */
  public static final Duration SLICE = Duration.ofMillis(250);

  /** Each contender has at least so many turns. */
  private static final int MIN_TURNS = 4;

  private final long sliceNanos;
  private final Course course;
  private final Tallies tallies;
  private final int bunch;
  private final long originNanos = System.nanoTime();
  private final Side first = new Side();
  private final Side second = new Side();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> broken = new AtomicReference<>();

  /**
   * One thread for each of {@code firsts}, which it asks in every other slice; in those between it
   * asks the one of {@code seconds}.
   *
   * @param tallies where the answers to {@code firsts} are counted
   * @param slice how long a turn is, less when the course is too short for several
   * @param bunch how many requests are made between two looks at the clock
   */
  public Alternation(
      Course course,
      Tallies tallies,
      List<? extends Ask> firsts,
      List<? extends Ask> seconds,
      Duration slice,
      int bunch) {
    this.sliceNanos = Math.min(slice.toNanos(), course.measured().toNanos() / (2 * MIN_TURNS));
    this.course = course;
    this.tallies = tallies;
    this.bunch = bunch;
    for (int i = 0; i < firsts.size(); i++) {
      Ask ours = firsts.get(i);
      Ask theirs = seconds.get(i);
      Thread thread = new Thread(() -> loop(ours, theirs), "bench-caller-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  /** What the first contender did. */
  public Side first() {
    return first;
  }

  /** What the second contender did. */
  public Side second() {
    return second;
  }

  @Override
  public void start() {
    threads.forEach(Thread::start);
  }

  private void loop(Ask ours, Ask theirs) {
    Turns mine = new Turns(ours, tallies.own());
    Turns others = new Turns(theirs, new ThreadTally());
    try {
      while (!course.isEnded()) {
        long slice = (System.nanoTime() - originNanos) / sliceNanos;
        long untilNanos = originNanos + (slice + 1) * sliceNanos;
        (slice % 2 == 0 ? mine : others).run(untilNanos);
      }
    } catch (RuntimeException | Error thrown) {
      broken.compareAndSet(null, thrown);
    }
    first.add(mine.count, mine.nanos, mine.tally.latencies());
    second.add(others.count, others.nanos, others.tally.latencies());
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

  /** The slices of one contender on one thread. */
  private final class Turns {
    private final Ask ask;
    private final ThreadTally tally;
    private long count;
    private long nanos;

    Turns(Ask ask, ThreadTally tally) {
      this.ask = ask;
      this.tally = tally;
    }

    void run(long untilNanos) {
      boolean measured = course.stage() == Stage.MEASURED;
      long asked = 0;
      long startNanos = System.nanoTime();
      long nowNanos = startNanos;
      while (nowNanos < untilNanos && !course.isEnded()) {
        for (int i = 1; i < bunch; i++) {
          one();
        }
        long timedNanos = bunch == 1 ? nowNanos : System.nanoTime();
        one();
        nowNanos = System.nanoTime();
        asked += bunch;
        if (measured) {
          tally.took(nowNanos - timedNanos);
        }
      }
      if (measured) {
        count += asked;
        nanos += nowNanos - startNanos;
      }
    }

    private void one() {
      try {
        tally.answered(ask.ask());
      } catch (LimiterUnavailableException e) {
        tallies.failed(e); // only a limiter throws this, so it is ours
      }
    }
  }
}
