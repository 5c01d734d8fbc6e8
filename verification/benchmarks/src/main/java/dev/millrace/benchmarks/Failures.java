package dev.millrace.benchmarks;

import dev.millrace.embedded.EmbeddedEngineException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;

/** Failures that we know get a message; what we do not know is a bug, and gets its stack trace. */
final class Failures {
  private Failures() {}

  /** Runs {@code work}; tells what it could not do. */
  static int told(CommandLine command, Callable<Integer> work) throws Exception {
    try {
      return work.call();
    } catch (BenchException | EmbeddedEngineException e) {
      command.getErr().println(command.getColorScheme().errorText("bench: " + e.getMessage()));
      return ExitCode.SOFTWARE;
    }
  }
}
