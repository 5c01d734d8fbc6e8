package dev.millrace.simulator;

/** Ends a simulated thread whose process has crashed. Nothing that it still does is seen. */
final class Killed extends Error {
  private static final long serialVersionUID = 1L;

  Killed() {
    super("the process has crashed", null, false, /* writableStackTrace= */ false);
  }
}
