package dev.millrace.benchmarks.scenario;

import java.time.Duration;

/**
 * The default duration of a scenario.
 *
 * @param warmUp how long callers call before anything is measured
 * @param measured how long is measured
 */
public record Length(Duration warmUp, Duration measured) {
  /** Enough for the compilers, and enough to count. */
  static final Length USUAL = new Length(Duration.ofSeconds(15), Duration.ofSeconds(20));
}
