package dev.millrace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The end of a command with one line for people and an exit code for scripts. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** A failure with one of {@link ExitCodes}; the message says what, why and what to do next. */
  public CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The failure of a command whose arguments or settings are wrong. */
  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCodes.USAGE, message);
  }

  /** Makes the failure of a command whose subject does not exist. */
  public static Supplier<CommandFailure> notFound(String message) {
    return () -> new CommandFailure(ExitCodes.NOT_FOUND, message);
  }

  /** The failure to write a file that was asked for. */
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
