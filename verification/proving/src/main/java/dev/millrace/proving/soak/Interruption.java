package dev.millrace.proving.soak;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a thread end in good order when the JVM is told to: it is interrupted, and the JVM waits for
 * it, within bounds.
 */
final class Interruption {
  private static final Duration MOST_WAIT = Duration.ofSeconds(20);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Thread thread) {
    this.hook = new Thread(() -> interrupt(thread), "soak-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  static Interruption ofThisThread() {
    return new Interruption(Thread.currentThread());
  }

  private void interrupt(Thread thread) {
    thread.interrupt();
    try {
      boolean unused = ended.await(MOST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The thread has ended what it was about. */
  void end() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook runs, and goes on now.
    }
  }
}
