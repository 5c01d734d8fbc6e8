package dev.millrace.benchmarks;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps limiters from logging trouble: under load that is brought about on purpose, it is counted.
 */
final class Quiet {
  /** Held here, since the log manager forgets loggers that nobody holds. */
  private static final Logger LOGGER = Logger.getLogger("dev.millrace");

  private Quiet() {}

  static void limiters() {
    LOGGER.setLevel(Level.OFF);
  }
}
