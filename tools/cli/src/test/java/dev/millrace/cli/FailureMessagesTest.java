package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.LimiterUnavailableException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class FailureMessagesTest {
  private static final class Run {
    private final StringWriter err = new StringWriter();

    int fail(Exception failure) {
      CommandLine command =
          Millrace.commandLine(
              CommandRun.nothing(Map.of()),
              new PrintWriter(new StringWriter()),
              new PrintWriter(err, true));
      return FailureMessages.INSTANCE.handleExecutionException(
          failure, command, command.parseArgs());
    }
  }

  @Test
  void knownFailure_isOneLine() {
    Run run = new Run();

    int exitCode = run.fail(new LimiterUnavailableException("no answer", Map.of("a", 1), null));

    assertThat(exitCode).isEqualTo(5);
    assertThat(run.err.toString().strip())
        .isEqualTo(
            "millrace: no answer {a=1}: check --endpoint, --region and the network, then run it"
                + " again");
  }

  @Test
  void unknownFailure_isABugAndKeepsItsStackTrace() {
    Run run = new Run();

    int exitCode = run.fail(new IllegalStateException("odd"));

    assertThat(exitCode).isEqualTo(1);
    assertThat(run.err.toString()).contains("IllegalStateException: odd", "at dev.millrace.cli.");
  }
}
