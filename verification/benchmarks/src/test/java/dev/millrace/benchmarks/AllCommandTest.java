package dev.millrace.benchmarks;

import static dev.millrace.benchmarks.Bencher.bench;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.benchmarks.scenario.Scenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AllCommandTest {
  @Test
  void all_onTheModel_writesThePageAndTellsWhere(@TempDir Path directory) throws IOException {
    Path page = directory.resolve("report.html");
    Bencher run =
        bench(
            "all --backend model --seconds 0.6 --warmup 0 --rtt 1 --json --report".split(" "),
            page.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode all = run.json();
    assertThat(all.get("report").asText()).isEqualTo(page.toString());
    assertThat(all.get("results").findValuesAsText("scenario")).isEqualTo(Scenarios.names());
    assertThat(Files.readString(page)).contains(Scenarios.names());
  }

  @Test
  void all_reportCannotBeWritten_isToldBeforeTheRun(@TempDir Path directory) {
    Path missing = directory.resolve("missing").resolve("report.html");
    Bencher run = bench("all --seconds 1 --report".split(" "), missing.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--report").contains("no such directory");
  }
}
