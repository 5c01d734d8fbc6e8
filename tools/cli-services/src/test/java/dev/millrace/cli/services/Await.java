package dev.millrace.cli.services;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what must happen; what does not happen in time fails the test. */
public final class Await {
  /** Longest wait: a worker that takes over needs seconds, on a busy machine many. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private Await() {}

  /** Looks again and again until {@code happened}. */
  public static void until(String what, Callable<Boolean> happened) throws Exception {
    long endsAt = System.nanoTime() + PATIENCE.toNanos();
    while (!happened.call()) {
      if (System.nanoTime() > endsAt) {
        throw new AssertionError("did not happen within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }
}
