package dev.millrace.cli;

import java.io.Console;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of the process that a command depends on, so that tests can replace it.
 *
 * @param environment the environment variables
 * @param home the directory with the user's own files
 * @param prompt puts a question to the user and returns the answer, empty without a terminal
 * @param watched whether output goes to a terminal, so that lines may be written over
 */
public record Surroundings(
    Map<String, String> environment,
    Path home,
    Function<String, Optional<String>> prompt,
    boolean watched) {
  /** Those of this process. */
  static Surroundings ofProcess() {
    Console console = terminal();
    return new Surroundings(
        System.getenv(),
        Path.of(System.getProperty("user.home", "")),
        question ->
            Optional.ofNullable(console).map(terminal -> terminal.readLine("%s ", question)),
        console != null);
  }

  /** The variable, null when it is not set or empty. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  /** The console when it is a terminal: always up to Java 21, {@code isTerminal()} since 22. */
  @SuppressWarnings("SystemConsoleNull") // its isTerminal is called below
  private static @Nullable Console terminal() {
    Console console = System.console();
    try {
      return console == null || (boolean) Console.class.getMethod("isTerminal").invoke(console)
          ? console
          : null;
    } catch (NoSuchMethodException e) {
      return console;
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
