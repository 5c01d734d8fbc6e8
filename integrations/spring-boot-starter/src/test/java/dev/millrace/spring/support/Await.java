package dev.millrace.spring.support;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what happens soon, with a bound far beyond any stall of the machine. */
public final class Await {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final long PAUSE_MS = 5;

  private Await() {}

  public static void until(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + LONGEST + ": " + what);
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }
}
