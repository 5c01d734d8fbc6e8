package dev.millrace.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.cost.Prices;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CostCommandTest {
  private static final Pattern ROW = Pattern.compile("\\| [^|]+ \\| *(`[^|]*` )?\\| ([0-9.]+) \\|");
  private static final String[] LOAD = {"--requests=100000000", "--entities=10000"};

  @Test
  void cost_text_isATableThatAddsUp() {
    CommandRun run = CommandRun.of(new CostCommand().command(), LOAD);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .startsWith("Prices of us-east-1 as of 2025-01-01")
        .containsPattern("writes +acquires +100,000,000.0 write units +62.500 +0.625\n")
        .containsPattern("\nall +[0-9.,]+ +[0-9.]+\n");
  }

  @Test
  void cost_json_saysTheSame() throws Exception {
    JsonNode json =
        CommandRun.of(new CostCommand().command(), LOAD[0], LOAD[1], "--aggregator=none", "--json")
            .json();

    double sum = 0;
    for (JsonNode item : json.get("items")) {
      sum += item.get("dollars").asDouble();
    }
    assertThat(json.get("dollars").asDouble()).isEqualTo(sum);
    assertThat(json.get("dollarsPerMillion").asDouble()).isEqualTo(sum / 100);
  }

  @Test
  void cost_wrongUsage_saysWhat() {
    assertThat(CommandRun.of(new CostCommand().command(), "--requests=1").exitCode()).isEqualTo(2);
    CommandRun run =
        CommandRun.of(new CostCommand().command(), LOAD[0], LOAD[1], "--aggregator=me");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'me' is none of lambda, worker, none");
    assertThat(CommandRun.of(new CostCommand().command(), LOAD[0], "--entities=0").err())
        .contains("entities 0 must be from 1");
  }

  /** The table of docs/operate/cost.md is what the command says. */
  @Test
  void document_everyRow_isWhatTheCommandSays() throws Exception {
    int rows = 0;
    for (String line : Files.readAllLines(Path.of("../../docs/operate/cost.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        List<String> args = new ArrayList<>(List.of(LOAD));
        args.add("--json");
        if (row.group(1) != null) {
          args.addAll(List.of(row.group(1).replace("`", "").strip().split(" ")));
        }
        JsonNode json =
            CommandRun.of(new CostCommand().command(), args.toArray(new String[0])).json();
        assertThat(String.format(Locale.ROOT, "%.3f", json.get("dollarsPerMillion").asDouble()))
            .as(line)
            .isEqualTo(row.group(2));
        rows++;
      }
    }
    assertThat(rows).isEqualTo(10);
  }

  @Test
  void document_prices_areThoseOfTheCommand() throws Exception {
    String document = Files.readString(Path.of("../../docs/operate/cost.md"));
    for (Map.Entry<String, Double> price : Prices.own().of().entrySet()) {
      assertThat(document)
          .containsPattern(
              "\"%s\": %s0*[,\n]"
                  .formatted(
                      price.getKey(),
                      Pattern.quote(new BigDecimal(price.getValue().toString()).toPlainString())));
    }
  }
}
