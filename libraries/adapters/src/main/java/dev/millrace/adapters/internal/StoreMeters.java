package dev.millrace.adapters.internal;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The Micrometer meters of round trips to the store: durations, outcomes and costs. */
public final class StoreMeters {
  static final String CALLS = "millrace.store.calls";
  static final String UNITS = "millrace.store.units";

  private static final String[] KINDS = {"read", "write", "transaction", "lookup", "list", "erase"};
  private static final String[] OUTCOMES = {"done", "refused", "failed", "unknown"};

  private final Map<String, Timer> calls = new HashMap<>();
  private final Counter readUnits;
  private final Counter writeUnits;
  private final Counter indexUnits;

  /** Registers in {@code meters}; everything exists from the beginning, at zero. */
  public StoreMeters(MeterRegistry meters) {
    for (String kind : KINDS) {
      for (String outcome : OUTCOMES) {
        calls.put(
            kind + outcome, timer(CALLS).tags("kind", kind, "outcome", outcome).register(meters));
      }
    }
    this.readUnits = meters.counter(UNITS, "kind", "read");
    this.writeUnits = meters.counter(UNITS, "kind", "write");
    this.indexUnits = meters.counter(UNITS, "kind", "index");
  }

  public void count(StoreCall call, StoreReply reply, long elapsedNanos) {
    Timer timer = calls.get(kind(call) + outcome(reply));
    if (timer != null) {
      timer.record(elapsedNanos, TimeUnit.NANOSECONDS);
    }
    Receipt receipt = reply.receipt();
    readUnits.increment(receipt.readUnits());
    writeUnits.increment(receipt.writeUnits());
    indexUnits.increment(receipt.indexWriteUnits());
  }

  /** A timer that counts calls of at most 1, 5, 20, 100 and 500 ms, and 2 s, as all timers do. */
  public static Timer.Builder timer(String name) {
    return Timer.builder(name)
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(20),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(2));
  }

  /** The label of a call, in metrics and traces. */
  public static String kind(StoreCall call) {
    if (call instanceof StoreCall.Write) {
      return "write";
    }
    if (call instanceof StoreCall.Transaction) {
      return "transaction";
    }
    if (call instanceof StoreCall.Lookup) {
      return "lookup";
    }
    if (call instanceof StoreCall.ListPage) {
      return "list";
    }
    return call instanceof StoreCall.Erase ? "erase" : "read";
  }

  /** The label of an outcome, in metrics and traces. */
  public static String outcome(StoreReply reply) {
    if (reply instanceof StoreReply.Refused || reply instanceof StoreReply.Cancelled) {
      return "refused";
    }
    if (reply instanceof StoreReply.NotApplied) {
      return "failed";
    }
    return reply instanceof StoreReply.Unknown ? "unknown" : "done";
  }
}
