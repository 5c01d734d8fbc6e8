package dev.millrace.cli;

import java.io.Console;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a command finds around it, so that tests can bring their own.
 *
 * @param environment the environment variables
 * @param home where the user's own files are
 * @param prompt asks a person and returns the answer, empty when there is nobody to ask
 * @param watched whether somebody is watching
 */
public record Surroundings(
    Map<String, String> environment,
    Path home,
    Function<String, Optional<String>> prompt,
    boolean watched) {
  /** Those of this process. */
  static Surroundings ofProcess() {
    return new Surroundings(
        System.getenv(),
        Path.of(System.getProperty("user.home", "")),
        Surroundings::ask,
        Terminal.isPresent());
  }

  /** The variable, null when it is not set or empty. */
  public @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isEmpty() ? null : value;
  }

  @SuppressWarnings("SystemConsoleNull") // asked before
  private static Optional<String> ask(String question) {
    Console console = Terminal.isPresent() ? System.console() : null;
    return console == null
        ? Optional.empty()
        : Optional.ofNullable(console.readLine("%s ", question));
  }
}
