package dev.millrace.simulator.mutation;

import dev.millrace.simulator.Carriers;
import dev.millrace.simulator.Report;
import dev.millrace.simulator.Scenario;
import dev.millrace.simulator.Simulation;
import dev.millrace.simulator.Trace;
import dev.millrace.simulator.oracle.Promise;
import dev.millrace.simulator.oracle.Violation;
import org.jspecify.annotations.Nullable;

/**
 * Plays histories until a promise is broken. It is called from another class loader, so it speaks
 * in numbers and strings.
 */
public final class Trial {
  private Trial() {}

  /**
   * The first history that fails, of {@code seeds} that begin with {@code fromSeed}: its seed, the
   * name of the promise, and what happened, each on a line of its own. Null when none fails.
   *
   * @throws IllegalStateException when something breaks that is no promise
   */
  public static @Nullable String firstFailure(long fromSeed, long seeds) {
    try (Carriers carriers = new Carriers()) {
      for (long seed = fromSeed; seed < fromSeed + seeds; seed++) {
        Report report = Simulation.run(Scenario.of(seed), carriers, Trace.off());
        Throwable failure = report.failure();
        if (failure != null) {
          return seed + "\n" + promise(failure, seed).name() + "\n" + failure.getMessage();
        }
      }
    }
    return null;
  }

  /** Who is in a circle never answers. */
  private static Promise promise(Throwable failure, long seed) {
    if (failure instanceof Violation violation) {
      return violation.promise();
    }
    if (failure instanceof Simulation.InCirclesException) {
      return Promise.NOBODY_WAITS_FOR_EVER;
    }
    throw new IllegalStateException("seed " + seed + " breaks no promise, but itself", failure);
  }
}
