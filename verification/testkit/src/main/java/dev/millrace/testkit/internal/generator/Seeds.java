package dev.millrace.testkit.internal.generator;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a test body for many seeds. The seeds are the same in every run, so a build does not fail by
 * chance; a failure names its seed, and {@code -Dseed=…} runs that one alone.
 */
public final class Seeds {
  /** The system property that names the only seed to run. */
  public static final String PROPERTY = "seed";

  /** A test body. */
  @FunctionalInterface
  public interface Case {
    /**
     * Runs once.
     *
     * @param random the random numbers of this case, a function of the seed
     * @param seed the seed, for names that must differ between cases
     */
    void run(RandomGenerator random, long seed) throws Exception;
  }

  private Seeds() {}

  /** Runs {@code body} for the seeds from 0 to {@code cases − 1}, or for {@code -Dseed} alone. */
  public static void forEach(int cases, Case body) {
    forEach(cases, Long.getLong(PROPERTY), body);
  }

  public static void forEach(int cases, @Nullable Long only, Case body) {
    if (only != null) {
      run(only, body);
      return;
    }
    for (long seed = 0; seed < cases; seed++) {
      run(seed, body);
    }
  }

  private static void run(long seed, Case body) {
    try {
      body.run(new SplittableRandom(seed), seed);
    } catch (Exception | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + " failed, -D" + PROPERTY + "=" + seed + " replays it: " + e.getMessage(),
          e);
    }
  }
}
