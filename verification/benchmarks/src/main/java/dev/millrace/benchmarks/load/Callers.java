package dev.millrace.benchmarks.load;

/** A caller that makes requests until the run has ended. */
public interface Callers {
  /** Begins to make requests; returns at once. */
  void start();

  /** Waits until the last request is answered; may be called again. */
  void awaitStopped() throws InterruptedException;
}
