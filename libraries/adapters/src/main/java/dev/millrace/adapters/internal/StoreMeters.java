package dev.millrace.adapters.internal;

import dev.millrace.LimiterEvent.RoundTrip;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The Micrometer meters of round trips to the store: durations, outcomes and costs. */
public final class StoreMeters {
  static final String CALLS = "millrace.store.calls";
  static final String UNITS = "millrace.store.units";

  private final Map<RoundTrip.Operation, Map<RoundTrip.Result, Timer>> calls =
      new EnumMap<>(RoundTrip.Operation.class);
  private final Counter readUnits;
  private final Counter writeUnits;
  private final Counter indexUnits;

  /** Registers in {@code meters}; everything exists from the beginning, at zero. */
  public StoreMeters(MeterRegistry meters) {
    for (RoundTrip.Operation operation : RoundTrip.Operation.values()) {
      Map<RoundTrip.Result, Timer> timers = new EnumMap<>(RoundTrip.Result.class);
      for (RoundTrip.Result result : RoundTrip.Result.values()) {
        timers.put(
            result,
            timer(CALLS).tags("kind", label(operation), "outcome", label(result)).register(meters));
      }
      calls.put(operation, timers);
    }
    this.readUnits = meters.counter(UNITS, "kind", "read");
    this.writeUnits = meters.counter(UNITS, "kind", "write");
    this.indexUnits = meters.counter(UNITS, "kind", "index");
  }

  /** The label of an operation or result, in metrics and traces. */
  public static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  public void count(RoundTrip trip) {
    Timer timer = calls.getOrDefault(trip.operation(), Map.of()).get(trip.result());
    if (timer != null) {
      timer.record(trip.elapsed());
    }
    readUnits.increment(trip.readUnits());
    writeUnits.increment(trip.writeUnits());
    indexUnits.increment(trip.indexWriteUnits());
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
}
