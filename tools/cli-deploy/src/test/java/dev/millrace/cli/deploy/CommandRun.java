package dev.millrace.cli.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.MillraceException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** A run of a command: what it printed and how it ended. */
record CommandRun(int exitCode, String out, String err, @Nullable MillraceException failure) {
  static CommandRun of(Object command, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    AtomicReference<MillraceException> failure = new AtomicReference<>();
    CommandLine line = command instanceof CommandLine made ? made : new CommandLine(command);
    int exitCode =
        line.setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .setExecutionExceptionHandler(
                (thrown, of, parsed) -> {
                  if (thrown instanceof MillraceException expected) {
                    failure.set(expected);
                    return 1;
                  }
                  throw thrown;
                })
            .execute(args);
    return new CommandRun(exitCode, out.toString(), err.toString(), failure.get());
  }

  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out);
  }
}
