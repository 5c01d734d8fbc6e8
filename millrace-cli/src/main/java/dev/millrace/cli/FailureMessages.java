package dev.millrace.cli;

import dev.millrace.cli.demo.DemoFailure;
import dev.millrace.core.error.MillraceException;
import dev.millrace.embedded.EmbeddedEngineException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** Failures that we know get a message; what we do not know is a bug, and gets its stack trace. */
enum FailureMessages implements IExecutionExceptionHandler {
  INSTANCE;

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult parsedCommand) {
    if (isExpected(failure)) {
      String message = "millrace: " + failure.getMessage();
      command.getErr().println(command.getColorScheme().errorText(message));
    } else {
      failure.printStackTrace(command.getErr());
    }
    return ExitCode.SOFTWARE;
  }

  private static boolean isExpected(Exception failure) {
    return failure instanceof DemoFailure
        || failure instanceof EmbeddedEngineException
        || failure instanceof MillraceException;
  }
}
