package dev.millrace.client.support;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must happen; what does not happen in time fails the test. */
public final class Await {
  /** Longest real wait; only a broken test comes near it. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long GLANCE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private Await() {}

  /** The result of {@code stage}, or what it failed with, without what futures wrap around it. */
  public static <T> T result(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw rethrown(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("no result within " + PATIENCE, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("the test was interrupted", e);
    }
  }

  public static void until(BooleanSupplier happened, String what) {
    long endsAt = System.nanoTime() + PATIENCE.toNanos();
    while (!happened.getAsBoolean()) {
      if (System.nanoTime() > endsAt) {
        throw new AssertionError("did not happen within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(GLANCE_NANOS);
    }
  }

  /** Throws {@code thrown} as it is, checked or not. */
  @SuppressWarnings("unchecked")
  public static <X extends Throwable> RuntimeException rethrown(Throwable thrown) throws X {
    throw (X)
        (thrown instanceof CompletionException wrapped && wrapped.getCause() != null
            ? wrapped.getCause()
            : thrown);
  }
}
