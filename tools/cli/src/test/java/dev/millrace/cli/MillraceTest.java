package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MillraceTest {
  @Test
  void help_namesCommandsAndExitCodes() {
    CommandRun run = CommandRun.of("--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("millrace", "demo", "Exit codes:", "0   done", "1   failed");
    assertThat(run.out()).contains("2   wrong usage");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void version_isThatOfTheBuild() {
    CommandRun run = CommandRun.of("--version");

    assertThat(run.exitCode()).isZero();
    assertThat(run.outLines().get(0)).matches("millrace \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?");
  }

  @Test
  void noCommand_isWrongUsage() {
    CommandRun run = CommandRun.of();

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("Missing command", "millrace demo", "Usage:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo --jsn", "demo extra", "dmeo", "--verbose"})
  void mistake_isWrongUsageAndSaysSo(String line) {
    CommandRun run = CommandRun.of(line.split(" ", -1));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    String[] words = line.split(" ", -1);
    assertThat(run.err()).contains(words[words.length - 1]);
  }
}
