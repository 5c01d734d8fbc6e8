package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeterminismTest {
  /** One of each kind at least. */
  private static final long SEEDS = 27;

  /** Also with other threads, with a trace, and with other histories before it. */
  @Test
  void run_sameSeedAgain_sameHistoryToTheNanosecond() {
    List<String> first = Fingerprints.of(SEEDS);

    List<String> again = new ArrayList<>();
    for (long i = SEEDS - 1; i >= 0; i--) {
      long seed = Campaign.seed(/* firstSeed= */ 0, i);
      try (Carriers others = new Carriers()) {
        Report report = Simulation.run(Scenario.of(seed), others, Trace.of(100));
        again.add(0, seed + " " + report.fingerprint());
      }
    }

    assertThat(again).isEqualTo(first);
  }

  /** Hash codes of objects and the order of immutable sets differ from one process to the next. */
  @Test
  void run_sameSeedInAnotherProcess_sameHistory() throws IOException {
    Process other =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Djava.util.logging.config.file=src/test/resources/quiet-logging.properties",
                Fingerprints.class.getName(),
                Long.toString(SEEDS))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String printed =
          new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();

      assertThat(printed.lines().toList()).isEqualTo(Fingerprints.of(SEEDS));
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void run_otherSeed_otherHistory() {
    assertThat(Fingerprints.of(SEEDS)).doesNotHaveDuplicates();
  }
}
