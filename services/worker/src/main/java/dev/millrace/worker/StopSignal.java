package dev.millrace.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A request to stop that ends every wait for it. */
public final class StopSignal implements AutoCloseable {
  private static final Duration MAX_STOP = Duration.ofSeconds(30);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stopAndWait, "worker-stop");

  /**
   * A signal that the end of the JVM gives too; the JVM waits, within bounds, for {@link #close}.
   */
  public static StopSignal atShutdown() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  private void stopAndWait() {
    stop();
    boolean unused = await(stopped, MAX_STOP);
  }

  /** Requests the stop. */
  public void stop() {
    requested.countDown();
  }

  /** Waits; whether the stop was requested meanwhile. */
  public boolean await(Duration wait) {
    return await(requested, wait);
  }

  private static boolean await(CountDownLatch latch, Duration wait) {
    try {
      return latch.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    stopped.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs, and goes on now.
    }
  }
}
