package dev.millrace.server;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what must happen; what does not happen in time fails the test. */
public final class Await {
  /** Longest wait: on a busy machine everything takes seconds. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

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
