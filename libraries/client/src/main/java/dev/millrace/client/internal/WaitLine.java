package dev.millrace.client.internal;

import dev.millrace.LimitStatus;
import dev.millrace.LimiterOptions;
import dev.millrace.Rejection;
import dev.millrace.TimeSource;
import dev.millrace.client.internal.mirror.ResolvedRequest;
import dev.millrace.client.internal.shard.AmountsAhead;
import dev.millrace.client.internal.shard.BucketForecast;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An ordered queue, with one timer, of the callers of a process that wait for tokens of one bucket.
 *
 * <p>The caller in front asks the store. Those behind it ask at the same time as far as they are
 * expected to fit after all those ahead of them, by what was last seen of their buckets: together
 * they share a write, as callers without a wait do. All others cost nothing. A caller that is
 * refused all the same goes back to its place, so nobody behind it asks before it does.
 *
 * <p>When the front is not expected to fit, the timer waits until its tokens are due, and a little
 * longer each time others took them first. It also ends the wait of callers whose time is over.
 */
final class WaitLine {
  /** Longest extra pause after tokens were taken by others. */
  static final long MAX_BACKOFF_MS = 64;

  private final LimiterOptions options;
  private final BucketForecast views;
  private final Departures departures;
  private final TimeSource time;
  private final ReentrantLock lock = new ReentrantLock();

  /** Everybody in the line, by number. */
  private final TreeMap<Long, Waiter> line = new TreeMap<>();

  /** Those of them that wait, by number. */
  private final TreeSet<Waiter> waiting = new TreeSet<>(Comparator.comparingLong(Waiter::number));

  /** The same by the end of their time. */
  private final TreeSet<Waiter> byEnd =
      new TreeSet<>(Comparator.comparingLong(Waiter::endsAtMs).thenComparing(Waiter::number));

  /** What everybody in the line wants. */
  private final AmountsAhead wanted = new AmountsAhead();

  /** What those of them want that ask. */
  private final AmountsAhead asked = new AmountsAhead();

  private long lastNumber;

  /** How often {@link #advance} was called while a thread was at it. */
  private final AtomicInteger calls = new AtomicInteger();

  private @Nullable CompletableFuture<Void> timer;
  private long timerAtMs = Long.MAX_VALUE;

  WaitLine(LimiterOptions options, BucketForecast views, Departures departures) {
    this.options = options;
    this.views = views;
    this.departures = departures;
    this.time = options.time();
  }

  /**
   * A place at the end of the line; null when the line is full. Whoever finds it empty may ask at
   * once; whoever cannot be served within its time is refused at once.
   */
  @Nullable Waiter enter(ResolvedRequest prepared, long maxWaitMs) {
    lock.lock();
    try {
      if (line.size() >= options.maxWaiters()) {
        return null;
      }
      Waiter waiter = new Waiter(this, prepared, ++lastNumber, time.elapsedMs() + maxWaitMs);
      boolean empty = line.isEmpty();
      Rejection hopeless = empty ? null : hopeless(prepared, wanted, maxWaitMs);
      if (hopeless != null) {
        waiter.turn().complete(new Waiter.Turn.Refused(hopeless)); // nothing depends on it yet
        return waiter;
      }
      line.put(waiter.number(), waiter);
      wanted.add(prepared);
      if (empty) {
        lets(waiter);
        waiter.turn().complete(new Waiter.Turn.Ask());
      } else {
        waits(waiter);
      }
      return waiter;
    } finally {
      lock.unlock();
    }
  }

  private void waits(Waiter waiter) {
    waiting.add(waiter);
    byEnd.add(waiter);
  }

  private void lets(Waiter waiter) {
    waiter.startsToAsk();
    asked.add(waiter.prepared());
  }

  /**
   * The refusal of a caller that must wait behind others for longer than it has, or null when that
   * cannot be told.
   */
  private @Nullable Rejection hopeless(ResolvedRequest prepared, AmountsAhead ahead, long leftMs) {
    List<LimitStatus> statuses = views.peek(prepared, ahead);
    if (statuses == null || statuses.stream().noneMatch(LimitStatus::exceeded)) {
      return null;
    }
    Rejection rejection = new Rejection(statuses);
    return rejection.retryAfterMs() > leftMs ? rejection : null;
  }

  /** Puts a caller that was refused back to its place, unless waiting is in vain. */
  boolean comesAgain(Waiter waiter, Rejection rejection) {
    lock.lock();
    try {
      long nowMs = time.elapsedMs();
      long leftMs = waiter.endsAtMs() - nowMs;
      long dueMs = rejection.retryAfterMs();
      if (!line.containsKey(waiter.number()) || dueMs == LimitStatus.NEVER || dueMs > leftMs) {
        return false;
      }
      waiter.notBefore(nowMs + delayMs(waiter, dueMs, leftMs));
      asked.remove(waiter.prepared());
      waiter.goesBack();
      waits(waiter);
    } finally {
      lock.unlock();
    }
    waiter.arrived();
    advance();
    return true;
  }

  private static long delayMs(Waiter waiter, long dueMs, long leftMs) {
    int tries = waiter.triesInVain();
    long backoffMs = tries == 0 ? 0 : Math.min(MAX_BACKOFF_MS, 1L << Math.min(tries, 6));
    return Math.min(Math.max(dueMs, backoffMs), leftMs);
  }

  /** Takes a caller out of the line; false when it has left already. */
  boolean leave(Waiter waiter) {
    lock.lock();
    try {
      return line.containsKey(waiter.number()) && remove(waiter);
    } finally {
      lock.unlock();
    }
  }

  private boolean remove(Waiter waiter) {
    line.remove(waiter.number());
    wanted.remove(waiter.prepared());
    if (waiter.asks()) {
      asked.remove(waiter.prepared());
    } else {
      waiting.remove(waiter);
      byEnd.remove(waiter);
    }
    return true;
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return line.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets those ask whose turn it is, and ends the wait of those whose time is over. One thread at a
   * time does so, for all that call meanwhile: what callers do then is not done one within another.
   */
  void advance() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int done = 1;
    try {
      do { // ends: each round stands for calls that were made before it
        Round round = next();
        round.late.forEach((waiter, turn) -> waiter.turn().complete(turn));
        depart(round.run);
        wakeAt(round.wakeAtMs);
        done = calls.addAndGet(-done);
      } while (done != 0);
    } catch (RuntimeException | Error broken) {
      calls.set(0); // others must be able to go on
      throw broken;
    }
  }

  /** Lets all of them ask; several leave with one write. */
  private void depart(List<Waiter> run) {
    if (run.size() > 1) {
      departures.prepare(run);
    }
    for (Waiter waiter : run) {
      waiter.turn().complete(new Waiter.Turn.Ask());
    }
  }

  /** What is to be done now. */
  private static final class Round {
    final TreeMap<Waiter, Waiter.Turn> late =
        new TreeMap<>(Comparator.comparingLong(Waiter::number));
    final List<Waiter> run = new ArrayList<>();
    long wakeAtMs = Long.MAX_VALUE;
  }

  private Round next() {
    lock.lock();
    try {
      Round round = new Round();
      long nowMs = time.elapsedMs();
      if (!byEnd.isEmpty() && byEnd.first().endsAtMs() <= nowMs) {
        endLate(round, nowMs);
      }
      while (!waiting.isEmpty()) { // ends: each round takes the first one out
        Waiter front = waiting.first();
        if (!mayAsk(front, round, nowMs)) {
          break;
        }
        waiting.remove(front);
        byEnd.remove(front);
        lets(front);
        round.run.add(front);
      }
      if (!byEnd.isEmpty()) {
        round.wakeAtMs = Math.min(round.wakeAtMs, byEnd.first().endsAtMs());
      }
      return round;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the first of those that wait may ask, with those that do or by itself. */
  private boolean mayAsk(Waiter front, Round round, long nowMs) {
    if (round.run.isEmpty() && front.notBeforeMs() > nowMs) {
      round.wakeAtMs = front.notBeforeMs();
      return false;
    }
    boolean alone = waiting.size() == line.size();
    if (!alone) {
      return views.untilFitsMs(front.prepared(), asked) == 0;
    }
    // Only what was seen just now says that the store need not be asked.
    long dueMs = views.untilFitsMs(front.prepared(), AmountsAhead.NONE);
    long leftMs = front.endsAtMs() - nowMs;
    if (dueMs <= 0 || dueMs > leftMs || !views.isTrusted(front.prepared())) {
      return true;
    }
    front.notBefore(nowMs + delayMs(front, dueMs, leftMs));
    round.wakeAtMs = front.notBeforeMs();
    return false;
  }

  /**
   * Those whose time is over are refused, unless what they want is none of what those ahead wait
   * for, or nobody can tell: then they ask, once.
   */
  private void endLate(Round round, long nowMs) {
    AmountsAhead ahead = new AmountsAhead();
    for (Waiter waiter : List.copyOf(line.values())) {
      if (waiter.asks() || waiter.endsAtMs() > nowMs) {
        ahead.add(waiter.prepared());
        continue;
      }
      Rejection hopeless = hopeless(waiter.prepared(), ahead, /* leftMs= */ 0);
      round.late.put(
          waiter, hopeless == null ? new Waiter.Turn.Ask() : new Waiter.Turn.Refused(hopeless));
      boolean unused = remove(waiter);
    }
  }

  /** Sets the timer; {@link Long#MAX_VALUE} for never. */
  private void wakeAt(long atMs) {
    CompletableFuture<Void> next = null;
    CompletableFuture<Void> old;
    lock.lock();
    try {
      if (atMs == timerAtMs) {
        return;
      }
      old = timer;
      timerAtMs = atMs;
      if (atMs != Long.MAX_VALUE) {
        next = time.after(Math.max(1, atMs - time.elapsedMs()));
      }
      timer = next;
    } finally {
      lock.unlock();
    }
    if (old != null) {
      old.complete(null); // frees it
    }
    if (next != null) {
      CompletableFuture<Void> mine = next;
      CompletableFuture<Void> unused = mine.thenRun(() -> rings(mine));
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very timer, not one that was set since
  private void rings(CompletableFuture<Void> rang) {
    lock.lock();
    try {
      if (timer != rang) {
        return;
      }
      timer = null;
      timerAtMs = Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
    advance();
  }
}
