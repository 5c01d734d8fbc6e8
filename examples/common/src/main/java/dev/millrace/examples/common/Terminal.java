package dev.millrace.examples.common;

import java.io.PrintStream;

/** Tells whether the output is a terminal: lines that change are for people, not for files. */
public final class Terminal {
  private Terminal() {}

  /** Whether {@code out} is the program's own output, and that a terminal. */
  @SuppressWarnings("SystemConsoleNull") // only Java 22 to 24 have a console without a terminal
  public static boolean is(PrintStream out) {
    return out == System.out && System.console() != null;
  }
}
