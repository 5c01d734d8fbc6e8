package dev.millrace.client.internal.store;

import dev.millrace.LimiterOptions;
import dev.millrace.Threads;
import dev.millrace.TimeSource;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Watches every call to the store: learns from its answer whether the store is there and what time
 * it has, and tells the listeners. Both drivers make their calls through it.
 *
 * <p>It is a circuit breaker: it remembers that the store could not be reached, so that calls fail
 * at once instead of each waiting for its time limit.
 *
 * <p>After {@link #FAILURES} calls in a row that did not reach the store, it counts as away. Then
 * no call is made, and one probe at a time looks whether it is back, with a pause between two that
 * doubles up to {@link #MAX_PAUSE_MS}. The first answer of any kind ends it. A probe takes at most
 * half of the limiter's time limit, as a write does, so a store that is back is noticed within that
 * and the longest pause: 1.5 s by default.
 *
 * <p>Only what says that the store is not there counts. A store that throttles, or whose key is
 * hot, answers. A call that was sent before the last answer came says nothing: of many that are
 * under way when the store comes back, some are lost. Neither does a call that had too little time.
 */
public final class StoreMonitor {
  /** Failures in a row after which the store counts as away. */
  public static final int FAILURES = 5;

  /** The pause before the first probe. */
  public static final long FIRST_PAUSE_MS = 50;

  /** Longest pause between two probes. */
  public static final long MAX_PAUSE_MS = 500;

  /** A call that had less than this part of the limiter's time limit says nothing. */
  private static final int FAIR_PART = 4;

  private static final StoreCall PROBE =
      new StoreCall.Lookup(List.of(new RecordKey.Schema()), /* consistent= */ false);

  /** Makes one call without asking whether the store is away, and keeps no thread waiting. */
  public interface Prober {
    CompletableFuture<StoreReply> probe(StoreCall call, long timeoutMs);
  }

  private final TimeSource time;
  private final Threads threads;
  private final boolean correctClock;
  private final StoreClock clock;
  private final LimiterEvents events;
  private final long timeoutMs;
  private volatile @Nullable Prober prober;
  private volatile Runnable whenBack = () -> {};

  /** What calls are answered while the store is away, null while it is there. */
  private volatile @Nullable StoreReply refusal;

  private volatile long answeredNanos;
  private volatile int failures;
  private volatile boolean closed;
  private long awaySinceMs;

  public StoreMonitor(LimiterOptions options, StoreClock clock, LimiterEvents events) {
    this.time = options.time();
    this.threads = options.threads();
    this.correctClock = options.correctClock();
    this.clock = clock;
    this.events = events;
    this.timeoutMs = options.timeout().toMillis();
    this.answeredNanos = threads.nanoTime();
  }

  /** How a probe is made: a call that is made although the store counts as away. */
  public void probeBy(Prober way) {
    this.prober = way;
  }

  /** Runs each time that the store is back. */
  public void whenBack(Runnable action) {
    this.whenBack = action;
  }

  /** Epoch milliseconds by the process's clock, corrected by the store's. */
  public long nowMs() {
    return clock.nowMs();
  }

  /**
   * The answer to a call that is not made, for lack of time, of a store or of writes that its
   * budget has left; null to make it, and then its write is taken from the budget.
   */
  public @Nullable StoreReply answerWithoutCall(StoreCall call, CallBudget budget, long maxMs) {
    if (maxMs == 0) {
      return outOfTime();
    }
    StoreReply away = refusal;
    if (away == null && call.writes() && !budget.takeWrite()) {
      events.writesSpent();
      return new StoreReply.NotApplied(
          new StoreFailure(StoreFailure.Kind.CONTENDED, null), Receipt.NONE);
    }
    return away;
  }

  /** The answer to a call for which there is no time left: it is not made. */
  public static StoreReply outOfTime() {
    return new StoreReply.NotApplied(
        new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), Receipt.NONE);
  }

  /**
   * Begins to watch a call that is made now.
   *
   * @param limitMs how long it may take
   */
  public Exchange begin(StoreCall call, long limitMs) {
    return new Exchange(call, limitMs);
  }

  /** One call under way. */
  public final class Exchange {
    private final StoreCall call;
    private final long limitMs;
    private final long sentRawMs = clock.rawMs();
    private final long sentNanos = threads.nanoTime();

    private Exchange(StoreCall call, long limitMs) {
      this.call = call;
      this.limitMs = limitMs;
    }

    /** Learns from the answer; returns it. */
    public StoreReply received(StoreReply reply) {
      long elapsedNanos = threads.nanoTime() - sentNanos;
      heard(reply, sentNanos, limitMs);
      if (correctClock && clock.observe(sentRawMs, clock.rawMs(), reply.receipt().storeTimeMs())) {
        events.clockCorrected(clock.offsetMs());
      }
      events.roundTrip(call, reply, elapsedNanos);
      return reply;
    }
  }

  /**
   * Learns from a reply.
   *
   * @param sentNanos when the call was made
   * @param limitMs how long it might take
   */
  private void heard(StoreReply reply, long sentNanos, long limitMs) {
    StoreFailure failure = failure(reply);
    if (failure == null) {
      answered();
    } else if (failure.meansAway()
        && limitMs * FAIR_PART >= timeoutMs
        && sentNanos - answeredNanos >= 0) {
      failed(failure);
    } else if (!failure.meansAway() && failure.kind() != StoreFailure.Kind.INTERRUPTED) {
      answered();
    }
  }

  /** Looks no more. */
  public void close() {
    closed = true;
    recovered();
  }

  private void answered() {
    answeredNanos = threads.nanoTime();
    if (failures != 0 || refusal != null) {
      recovered();
    }
  }

  private void recovered() {
    long awayMs;
    synchronized (this) {
      failures = 0;
      if (refusal == null) {
        return;
      }
      refusal = null;
      awayMs = time.elapsedMs() - awaySinceMs;
    }
    whenBack.run();
    events.storeBack(awayMs);
  }

  private void failed(StoreFailure failure) {
    Prober way = prober;
    StoreReply answer =
        new StoreReply.NotApplied(
            new StoreFailure(StoreFailure.Kind.AWAY, failure.cause()), Receipt.NONE);
    synchronized (this) {
      if (refusal != null || ++failures < FAILURES || way == null) {
        return;
      }
      awaySinceMs = time.elapsedMs();
      refusal = answer;
    }
    events.storeAway(failure);
    probeAfter(FIRST_PAUSE_MS, way, answer);
  }

  /** One probe after another, as long as it is the same absence. */
  private void probeAfter(long pauseMs, Prober way, StoreReply absence) {
    CompletableFuture<Void> unused =
        time.after(pauseMs)
            .thenRun(
                () -> {
                  if (refusal == absence && !closed) {
                    probe(Math.min(MAX_PAUSE_MS, 2 * pauseMs), way, absence);
                  }
                });
  }

  private void probe(long nextPauseMs, Prober way, StoreReply absence) {
    CompletableFuture<Void> unused =
        probed(way)
            .handle(
                (reply, thrown) -> {
                  if (thrown != null) {
                    answered(); // a mistake or a bug, which callers shall see
                  } else if (refusal == absence) {
                    probeAfter(nextPauseMs, way, absence);
                  }
                  return null;
                });
  }

  /** A probe that could not even be begun, for want of a thread, must not be the last one. */
  private CompletableFuture<StoreReply> probed(Prober way) {
    try {
      return way.probe(PROBE, (timeoutMs + 1) / 2);
    } catch (RuntimeException | Error broken) {
      return CompletableFuture.failedFuture(broken);
    }
  }

  private static @Nullable StoreFailure failure(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    return reply instanceof StoreReply.Unknown unknown ? unknown.failure() : null;
  }
}
