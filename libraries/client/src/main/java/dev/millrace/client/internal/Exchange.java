package dev.millrace.client.internal;

import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;

/** One call under way: what is learnt from its reply besides the reply itself. */
final class Exchange {
  private final LimiterCore core;
  private final StoreCall call;
  private final long timeoutMs;
  private final long sentRawMs;
  private final long sentNanos;

  Exchange(LimiterCore core, StoreCall call, long timeoutMs) {
    this.core = core;
    this.call = call;
    this.timeoutMs = timeoutMs;
    this.sentRawMs = core.clock().rawMs();
    this.sentNanos = core.options().threads().nanoTime();
  }

  StoreReply received(StoreReply reply) {
    long elapsedNanos = core.options().threads().nanoTime() - sentNanos;
    core.health().heard(reply, sentNanos, timeoutMs);
    StoreClock clock = core.clock();
    if (core.options().correctClock()
        && clock.observe(sentRawMs, clock.rawMs(), reply.receipt().storeTimeMs())) {
      core.events().tell(listener -> listener.onClockCorrected(clock.offsetMs()));
    }
    core.events().tell(listener -> listener.onStoreCall(call, reply, elapsedNanos));
    return reply;
  }

  /** The answer to a call for which there is no time left: it is not made. */
  static StoreReply outOfTime() {
    return new StoreReply.NotApplied(
        new StoreFailure(StoreFailure.Kind.TIMED_OUT, null), Receipt.NONE);
  }
}
