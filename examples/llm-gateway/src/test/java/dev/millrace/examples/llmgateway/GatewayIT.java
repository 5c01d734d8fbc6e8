package dev.millrace.examples.llmgateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.examples.llmgateway.Load.Outcome.Kind;
import dev.millrace.examples.testing.Curl;
import dev.millrace.examples.testing.Printed;
import dev.millrace.examples.testing.Readme;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GatewayIT {
  /** The free account has ten, and gets one more every six seconds. */
  private static final int MOST_REQUESTS = 1_000;

  @Test
  void show_allTenantsAtOnce_eachGetsWhatItMayAndTheLedgerEqualsTheBill() throws Exception {
    Printed printed = new Printed();
    Report report = Main.show(printed.out());

    for (Report.Row row : report.rows()) {
      assertThat(row.outcomes().values().stream().mapToLong(Long::longValue).sum())
          .as("%s", row)
          .isEqualTo(Load.REQUESTS);
      assertThat(row.billed().requests())
          .as("billed is what was answered, read to its end or not: %s", row)
          .isEqualTo(row.count(Kind.ANSWERED) + row.count(Kind.STREAMED) + row.count(Kind.HUNG_UP));
      assertThat(row.billed().tokens()).as("%s", row).isPositive();
      assertThat(row.key()).as("%s", row).isEqualTo(row.billed());
      assertThat(row.team()).as("%s", row).isEqualTo(row.billed());
    }
    assertThat(report.isExact()).as("organisations too: %s", printed.text()).isTrue();
    assertThat(row(report, "key-hobby").refusedBy()).containsOnlyKeys("rpm of key-hobby");
    assertThat(row(report, "key-search").refusedBy()).isEmpty();
    assertThat(row(report, "key-support").refusedBy()).containsOnlyKeys("rpm of globex-support");
    assertThat(printed.text()).endsWith("The ledger equals what the provider has billed.\n");
  }

  private static Report.Row row(Report report, String key) {
    return report.rows().stream()
        .filter(row -> row.tenant().key().equals(key))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void serve_theReadmesCalls_areAnsweredAsItShows() throws Exception {
    Readme readme = Readme.here();
    List<Curl> calls = readme.curls();
    List<String> answers = readme.blocks("json");
    assertThat(calls).hasSize(2);
    assertThat(answers).hasSize(2);
    try (Main main = Main.start(0)) {
      int port = main.chat().getPort();

      assertThat(send(main, "no", "{}").statusCode()).isEqualTo(401);
      assertThat(send(main, "sk-studio", "{").body()).contains("body: ");
      assertThat(send(main, "sk-studio", "[]").body()).contains("must be a JSON object");
      HttpResponse<String> unknown = send(main, "sk-studio", "{\"model\": \"gpt-0\"}");
      assertThat(unknown.statusCode()).isEqualTo(400);
      assertThat(unknown.body()).contains("model 'gpt-0' must be one of [gpt-4o-mini]");

      HttpResponse<String> answer = calls.get(0).sendTo(port);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(Http.JSON.readTree(answer.body())).isEqualTo(Http.JSON.readTree(answers.get(0)));
      assertThat(answer.headers().firstValue("ratelimit-policy")).isPresent();
      assertThat(answer.headers().firstValue("ratelimit")).isPresent();

      HttpResponse<String> refused = calls.get(1).sendTo(port);
      for (int sent = 1; sent < MOST_REQUESTS && refused.statusCode() != 429; sent++) {
        refused = calls.get(1).sendTo(port);
      }
      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("retry-after")).isPresent();
      JsonNode problem = Http.JSON.readTree(refused.body());
      JsonNode shown = Http.JSON.readTree(answers.get(1));
      assertThat(problem.path("type")).isEqualTo(shown.path("type"));
      assertThat(names(problem)).isEqualTo(names(shown));
      assertThat(violations(problem)).isEqualTo(violations(shown));
    }
  }

  private static HttpResponse<String> send(Main main, String secret, String body) throws Exception {
    return Curl.parse(
            "curl %s -H 'Authorization: Bearer %s' -d '%s'".formatted(main.chat(), secret, body))
        .sendTo(main.chat().getPort());
  }

  private static Set<String> names(JsonNode problem) {
    Set<String> names = new TreeSet<>();
    problem.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> violations(JsonNode problem) {
    return problem.path("violations").findValuesAsText("entity");
  }
}
