package dev.millrace.simulator;

/** Ends a simulated thread whose process has crashed. Nothing that it still does is seen. */
final class CrashedProcessError extends Error {
  private static final long serialVersionUID = 1L;

  CrashedProcessError() {
    super("the process has crashed", null, false, /* writableStackTrace= */ false);
  }
}
