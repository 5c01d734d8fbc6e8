package dev.millrace.benchmarks.load;

/** Somebody who makes requests until the course has ended. */
public interface LoadGenerator {
  /** Begins to make requests; returns at once. */
  void start();

  /** Waits until the last request is answered; may be called again. */
  void awaitStopped() throws InterruptedException;
}
