package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.BenchException;
import dev.millrace.client.LimiterOptions;
import java.time.Duration;

/** Switches prefetch on; the one place that names the limiter's option. */
final class PrefetchOption {
  /** The horizon that the option's users get who do not choose. */
  private static final Duration HORIZON = Duration.ofMillis(20);

  private PrefetchOption() {}

  static LimiterOptions.Builder on(LimiterOptions.Builder options) {
    throw new BenchException(
        "the limiter of this build has no prefetch (horizon " + HORIZON.toMillis() + " ms)");
  }
}
