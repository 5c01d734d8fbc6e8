package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The short form of what the command shows on a quiet machine. */
final class WaitingCommandTest {
  @Test
  void waiting_fewCallersAndTwoSeconds_shareWritesAndGetWhatIsDue() {
    Bencher run = bench("waiting", "--callers", "500", "--seconds", "2", "--json");

    assertThat(run.exitCode()).isZero();
    JsonNode figures = run.json();
    for (String kind : new String[] {"blocking", "async"}) {
      assertThat(figures.get(kind + "WithWritesEach").asDouble()).as(kind).isLessThan(0.1);
      assertThat(figures.get(kind + "AdmittedOfDue").asDouble())
          .as(kind + ", on a machine that builds")
          .isGreaterThan(0.5);
    }
  }
}
