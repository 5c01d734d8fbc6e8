package dev.millrace.adapters.micrometer;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** Timers with the same histogram steps, so that they can be compared in one chart. */
public final class Timers {
  private Timers() {}

  /** A timer that counts calls of at most 1, 5, 20, 100 and 500 ms, and 2 s. */
  public static Timer.Builder named(String name) {
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
