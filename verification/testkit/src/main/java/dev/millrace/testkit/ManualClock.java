package dev.millrace.testkit;

import dev.millrace.TimeSource;
import dev.millrace.testkit.internal.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test moves it. Threads sleep on it and stages wait for it
 * without a real second passing.
 *
 * <pre>{@code
 * ManualClock clock = new ManualClock(1_700_000_000_000L);
 * CompletionStage<Void> later = clock.after(500);
 * clock.advance(Duration.ofMillis(500)); // completes later
 * }</pre>
 *
 * <p>A wait is measured by how far the clock was moved forward, as a computer's sleep is measured
 * by its monotonic clock: setting the time back does not lengthen a wait that is under way.
 */
public final class ManualClock implements TimeSource {
  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when the clock moves and when somebody begins to wait. */
  private final Condition changed = lock.newCondition();

  /** For each thread that sleeps, the elapsed time until which it does. */
  private final List<Long> threads = new ArrayList<>();

  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::untilMs).thenComparing(Timer::order));

  /** How many stages were ever asked for. */
  private long timersAsked;

  /** How far the clock was moved forward. */
  private long elapsedMs;

  /** How far it is to be moved; ahead of {@link #elapsedMs} while stages are being completed. */
  private long goalMs;

  /** What the time is when nothing has elapsed. */
  private long originMs;

  /** A clock that says {@code epochMs} until it is moved. */
  public ManualClock(long epochMs) {
    originMs = epochMs;
  }

  @Override
  public long nowMs() {
    lock.lock();
    try {
      return originMs + elapsedMs;
    } finally {
      lock.unlock();
    }
  }

  /** How far the clock was moved forward since it was made. */
  @Override
  public long elapsedMs() {
    lock.lock();
    try {
      return elapsedMs;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Blocks until the clock was moved forward by {@code ms}; returns at once when that is not
   * positive. Fails when that does not happen within {@code 30} real seconds.
   */
  public void sleep(long ms) throws InterruptedException {
    if (ms <= 0) {
      return;
    }
    lock.lockInterruptibly();
    try {
      Long untilMs = elapsedMs + ms;
      threads.add(untilMs);
      changed.signalAll();
      try {
        RealTime.await(
            changed,
            () -> untilMs <= elapsedMs,
            "a thread sleeps " + ms + " ms, and nobody moved the clock that far");
      } finally {
        threads.remove(untilMs);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * A stage that completes when the clock was moved forward by {@code ms}, in the thread that moves
   * it; complete already when that is not positive.
   */
  @Override
  public CompletableFuture<Void> after(long ms) {
    if (ms <= 0) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> stage = new CompletableFuture<>();
    lock.lock();
    try {
      timers.add(new Timer(elapsedMs + ms, timersAsked++, stage));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return stage;
  }

  /**
   * Moves the clock forward. Stages complete one after another in the order of their times, each
   * seeing its own time on the clock, so that what waits again within the stretch is served too.
   */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("advance by " + by + " must not be negative: use set");
    }
    lock.lock();
    try {
      goalMs += by.toMillis();
    } finally {
      lock.unlock();
    }
    CompletableFuture<Void> due = nextDue();
    while (due != null) {
      due.complete(null); // outside the lock: what depends on the stage may use the clock
      due = nextDue();
    }
  }

  /**
   * Sets the time. Forward is the same as {@link #advance}; backward only the time that is told
   * changes, as when a computer's clock is corrected.
   */
  public void set(long epochMs) {
    long byMs;
    lock.lock();
    try {
      byMs = epochMs - (originMs + elapsedMs);
      if (byMs < 0) {
        originMs += byMs;
      }
    } finally {
      lock.unlock();
    }
    advance(Duration.ofMillis(Math.max(0, byMs)));
  }

  /** How many threads and stages wait for the clock to move. */
  public int sleepers() {
    lock.lock();
    try {
      return waiting();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until at least {@code count} threads and stages wait for the clock. Fails when that does
   * not happen within {@code 30} real seconds.
   */
  public void awaitSleepers(int count) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      RealTime.await(changed, () -> waiting() >= count, count + " did not wait for the clock");
    } finally {
      lock.unlock();
    }
  }

  /** Moves on to the next stage that is due and takes it, or to the goal when there is none. */
  private @Nullable CompletableFuture<Void> nextDue() {
    lock.lock();
    try {
      Timer next = timers.peek();
      changed.signalAll();
      if (next == null || next.untilMs() > goalMs) {
        elapsedMs = goalMs;
        return null;
      }
      timers.remove();
      elapsedMs = Math.max(elapsedMs, next.untilMs());
      return next.stage();
    } finally {
      lock.unlock();
    }
  }

  private int waiting() {
    timers.removeIf(timer -> timer.stage().isDone()); // cancelled by whoever waited
    int count = timers.size();
    for (long untilMs : threads) {
      // Whoever is past its time waits no more, even if its thread has not run yet.
      count += untilMs > elapsedMs ? 1 : 0;
    }
    return count;
  }

  /** A stage that waits; {@code order} keeps those of the same time in the order of asking. */
  private record Timer(long untilMs, long order, CompletableFuture<Void> stage) {}
}
