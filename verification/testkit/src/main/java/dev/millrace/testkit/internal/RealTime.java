package dev.millrace.testkit.internal;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;

/**
 * The one place where the test kit waits in real time: a test that hangs must fail, and say why.
 */
public final class RealTime {
  /** Longest real wait; only a broken test comes near it. */
  public static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private RealTime() {}

  /**
   * Waits until {@code done}, which is looked at again at each signal of {@code changed}.
   *
   * @param changed a condition whose lock the caller holds
   * @param complaint what to say when it does not happen
   */
  public static void await(Condition changed, BooleanSupplier done, String complaint)
      throws InterruptedException {
    long leftNanos = MAX_WAIT.toNanos();
    while (!done.getAsBoolean()) {
      if (leftNanos <= 0) {
        throw new AssertionError(complaint + " within " + MAX_WAIT.toSeconds() + " s");
      }
      leftNanos = changed.awaitNanos(leftNanos);
    }
  }
}
