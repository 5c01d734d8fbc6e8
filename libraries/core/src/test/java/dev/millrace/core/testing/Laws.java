package dev.millrace.core.testing;

import java.util.function.Consumer;

/**
 * Checks a law on many cases. Every case has a seed of its own; the one that fails is named in the
 * message, and {@code -Dseed=…} runs that one alone.
 */
public final class Laws {
  private static final long FIRST_SEED = 20_240_101L;

  private Laws() {}

  /**
   * Checks {@code law} on {@code cases} cases, or on the one that {@code -Dseed} names; returns how
   * many were checked.
   */
  public static int check(int cases, Consumer<Gen> law) {
    Long only = Long.getLong("seed");
    if (only != null) {
      run(only, law);
      return 1;
    }
    for (int i = 0; i < cases; i++) {
      run(FIRST_SEED + i, law);
    }
    return cases;
  }

  private static void run(long seed, Consumer<Gen> law) {
    try {
      law.accept(new Gen(seed));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("replay this case with -Dseed=" + seed + ": " + e.getMessage(), e);
    }
  }
}
