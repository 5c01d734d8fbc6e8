package dev.millrace.cli;

import java.io.Console;

/** Whether somebody is watching: lines that change are for people, not for files. */
final class Terminal {
  private Terminal() {}

  @SuppressWarnings("SystemConsoleNull") // asked further below
  static boolean isPresent() {
    Console console = System.console();
    return console != null && isTerminal(console);
  }

  /** Up to Java 21 there is a console only on a terminal; since 22 it tells. */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }
}
