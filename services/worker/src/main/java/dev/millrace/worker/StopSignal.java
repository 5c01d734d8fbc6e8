package dev.millrace.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a worker stop in good order when the JVM is told to end: the JVM waits for it, within
 * bounds.
 */
public final class StopSignal implements AutoCloseable {
  private static final Duration MOST_WAIT = Duration.ofSeconds(30);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::ask, "worker-stop");

  /** Waits from now on. */
  public StopSignal() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void ask() {
    asked.countDown();
    try {
      boolean unused = ended.await(MOST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits; whether the JVM was told to end meanwhile. */
  public boolean await(Duration wait) {
    try {
      return asked.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs, and goes on now.
    }
  }
}
