package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a newcomer, a machine and an impatient person run it. */
class DemoCommandIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long END_SECONDS = 30;

  @Test
  void json_isOneObjectPerStepAndNothingElse() throws JsonProcessingException {
    CommandRun run = CommandRun.of("demo", "--json");

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<JsonNode> steps = new ArrayList<>();
    for (String line : run.outLines()) {
      steps.add(JSON.readTree(line));
    }
    assertThat(steps).extracting(step -> step.get("step").asInt()).containsExactly(1, 2, 3, 4, 5);
    assertThat(steps)
        .extracting(DemoCommandIT::units)
        .containsExactly("3 1 2 2", "2 0 2 0", "0 0 0 0", "3 1 2 2", "3 1 2 2");
    assertThat(steps)
        .extracting(step -> step.at("/actions").findValuesAsText("answer"))
        .containsExactly(
            List.of("admitted", "admitted"),
            List.of("admitted", "settled"),
            List.of("refused"),
            List.of("admitted", "refused", "waited", "admitted"),
            List.of("admitted", "settled", "refused", "refused"));

    assertThat(units(steps.get(0).at("/actions/0"))).isEqualTo("2 1 1 2");
    assertThat(units(steps.get(0).at("/actions/1"))).isEqualTo("1 0 1 0");
    assertThat(steps.get(1).at("/actions/1/balances/1/consumedMilli").asLong())
        .isEqualTo(1_730_000);
    requireRefusal(steps.get(2).at("/actions/0/rejection"));
    requireDebt(steps.get(4));
  }

  private static void requireRefusal(JsonNode rejection) {
    assertThat(rejection.at("/statuses").findValuesAsText("limit")).containsExactly("rpm", "tpm");
    assertThat(rejection.at("/statuses").findValuesAsText("exceeded"))
        .containsExactly("false", "true");
    assertThat(rejection.at("/retryAfterMs").asLong())
        .isPositive()
        .isEqualTo(rejection.at("/statuses/1/retryAfterMs").asLong());
  }

  private static void requireDebt(JsonNode step) {
    assertThat(step.at("/actions/1/balances/0/tokensMilli").asLong()).isEqualTo(-500_000);
    for (String refused : List.of("/actions/2", "/actions/3")) {
      JsonNode status = step.at(refused + "/rejection/statuses/0");
      long missingMilli =
          status.get("requestedMilli").asLong() - status.get("availableMilli").asLong();
      // Ten millitokens a millisecond; up: never earlier than it is true.
      assertThat(status.get("retryAfterMs").asLong()).isEqualTo((missingMilli + 9) / 10);
    }
  }

  private static String units(JsonNode node) {
    JsonNode units = node.get("units");
    return "%s %s %s %s"
        .formatted(
            units.get("roundTrips"),
            units.get("readUnits"),
            units.get("writeUnits"),
            units.get("indexWriteUnits"));
  }

  @Test
  void text_withoutATerminal_isPlainUtf8(@TempDir Path directory) throws Exception {
    CommandRun run = CommandRun.inOwnProcess(directory, "demo");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(
            "1  Two limits, one write",
            "acquire rpm 1, tpm 500  →  admitted",
            "left: rpm 99 of 100, tpm 9,500 of 10,000",
            "2 round trips (read, create): 1 read unit, 1 write unit, 2 index write units",
            "1 round trip (locked): 0 read units, 1 write unit, 0 index write units",
            "2  An estimate, settled after the call",
            "adjust tpm +230  →  settled",
            "3  A refusal with every limit, at no cost",
            "limit  available  requested  exceeded  retry after",
            "0 round trips: free",
            "4  Waiting exactly as long as told",
            "5  A bucket in debt",
            "left: tpm -500 of 600",
            "What it cost, in units",
            "docs/design/consistency.md")
        .doesNotContain("\u001b", "\r", "\ufffd");
    assertThat(run.outLines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(90));
  }

  @Test
  void terminated_stopsTheEngine() throws Exception {
    Process demo =
        CommandRun.process("demo", "--json").redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader out = demo.inputReader(StandardCharsets.UTF_8)) {
      assertThat(out.readLine()).contains("\"step\":1");
      List<ProcessHandle> engines = demo.children().toList();
      assertThat(engines).hasSize(1);

      demo.destroy(); // SIGTERM; Ctrl-C ends a JVM the same way

      assertThat(demo.waitFor(END_SECONDS, TimeUnit.SECONDS)).isTrue();
      engines.get(0).onExit().get(END_SECONDS, TimeUnit.SECONDS);
    } finally {
      demo.destroyForcibly();
    }
  }
}
