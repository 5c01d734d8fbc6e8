package dev.millrace.server.command;

import dev.millrace.server.MillraceServer;
import dev.millrace.worker.StopSignal;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits until the process is told to end, and lets the server say so before it stops. */
final class Stopping implements AutoCloseable {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final StopSignal signal = new StopSignal();

  /** Returns when the server may be closed. */
  void await(MillraceServer server, Duration drainWait) {
    while (!signal.await(LOOK)) {
      // at work
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
    signal.close();
  }
}
