package dev.millrace.server.process;

import dev.millrace.server.MillraceServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The request of the operating system to end the process. The JVM waits for {@link #close}, so that
 * the server stops in order, but no longer than {@link #MAX_STOP}.
 */
public final class StopRequest implements AutoCloseable {
  /** Longest time from the request to the end of the process. */
  private static final Duration MAX_STOP = Duration.ofSeconds(30);

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread hook = new Thread(this::request, "server-stop");

  public StopRequest() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void request() {
    requested.countDown();
    try {
      boolean unused = stopped.await(MAX_STOP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for the request, then for {@code drainWait}, during which {@code server} reports that it
   * is not ready. Returns when the server may be closed.
   */
  public void await(MillraceServer server, Duration drainWait) {
    try {
      requested.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // a request too
    }
    server.drain();
    long until = System.nanoTime() + drainWait.toNanos();
    while (System.nanoTime() < until) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
  }

  /** Lets the process end. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs, and ends now.
    }
  }
}
