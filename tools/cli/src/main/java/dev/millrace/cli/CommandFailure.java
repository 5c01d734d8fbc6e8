package dev.millrace.cli;

import java.io.IOException;
import java.nio.file.Path;

/** A command that ends here: with one line for people and a number for scripts. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** An end with one of {@link ExitCodes}; the message says what, why and what to do next. */
  public CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** A file that was asked for could not be written. */
  public static CommandFailure notWritten(Path file, IOException cause) {
    return new CommandFailure(
        ExitCodes.FAILED,
        "%s cannot be written, %s: name a file in a directory that exists".formatted(file, cause));
  }

  /** One of {@link ExitCodes}. */
  public int exitCode() {
    return exitCode;
  }
}
