package dev.millrace.client.internal.store;

import dev.millrace.client.LimiterOptions;
import dev.millrace.client.Threads;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import org.jspecify.annotations.Nullable;

/**
 * Watches every call to the store: learns from its answer whether the store is there and what time
 * it has, and tells the listeners. Both drivers make their calls through it.
 */
public final class StoreMonitor {
  private final StoreHealth health;
  private final StoreClock clock;
  private final ListenerList events;
  private final Threads threads;
  private final boolean correctClock;

  public StoreMonitor(
      LimiterOptions options, StoreHealth health, StoreClock clock, ListenerList events) {
    this.health = health;
    this.clock = clock;
    this.events = events;
    this.threads = options.threads();
    this.correctClock = options.correctClock();
  }

  /** Epoch milliseconds by the process's clock, corrected by the store's. */
  public long nowMs() {
    return clock.nowMs();
  }

  /** The answer to a call that is not made, for lack of time or of a store; null to make it. */
  public @Nullable StoreReply answerWithoutCall(long timeoutMs) {
    return timeoutMs == 0 ? outOfTime() : health.refusal();
  }

  /** The answer to a call for which there is no time left: it is not made. */
  public static StoreReply outOfTime() {
    return new StoreReply.NotApplied(
        new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), Receipt.NONE);
  }

  /** Begins to watch a call that is made now. */
  public Exchange begin(StoreCall call, long timeoutMs) {
    return new Exchange(call, timeoutMs);
  }

  /** One call under way. */
  public final class Exchange {
    private final StoreCall call;
    private final long timeoutMs;
    private final long sentRawMs = clock.rawMs();
    private final long sentNanos = threads.nanoTime();

    private Exchange(StoreCall call, long timeoutMs) {
      this.call = call;
      this.timeoutMs = timeoutMs;
    }

    /** Learns from the answer; returns it. */
    public StoreReply received(StoreReply reply) {
      long elapsedNanos = threads.nanoTime() - sentNanos;
      health.heard(reply, sentNanos, timeoutMs);
      if (correctClock && clock.observe(sentRawMs, clock.rawMs(), reply.receipt().storeTimeMs())) {
        events.tell(listener -> listener.onClockCorrected(clock.offsetMs()));
      }
      events.tell(listener -> listener.onStoreCall(call, reply, elapsedNanos));
      return reply;
    }
  }
}
