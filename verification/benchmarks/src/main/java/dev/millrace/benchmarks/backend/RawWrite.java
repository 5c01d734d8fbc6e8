package dev.millrace.benchmarks.backend;

/** A write that always succeeds, prepared once and sent again and again. */
@FunctionalInterface
public interface RawWrite {
  /** Sends it and waits for the answer. */
  void send();
}
