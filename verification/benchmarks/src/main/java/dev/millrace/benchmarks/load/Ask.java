package dev.millrace.benchmarks.load;

/** One request whose caller waits. */
@FunctionalInterface
public interface Ask {
  /**
   * Makes the request and everything that belongs to it.
   *
   * @return whether it was granted
   */
  boolean ask();
}
