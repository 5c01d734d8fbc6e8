package dev.millrace.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitNotation;
import dev.millrace.vectors.RecordedVectors;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Limits as people write them on the command line. */
class LimitNotationVectorsTest {
  /** The original ignores what it does not understand in these; here they are refused. */
  private static final Set<String> REFUSED_HERE_ONLY = Set.of("rpm:100:200:300", "rpm: 100");

  @Test
  void parse_recordedTexts_givesTheSameLimitOrIsRefused() {
    int accepted = 0;
    int refused = 0;
    int refusedHereOnly = 0;
    for (JsonNode row : RecordedVectors.read("cli_limit_strings")) {
      String text = row.path("text").asText();
      if (row.path("error").asBoolean()) {
        refused++;
        assertRefused(text);
      } else if (REFUSED_HERE_ONLY.contains(text)) {
        refusedHereOnly++;
        assertRefused(text);
      } else {
        accepted++;
        compare(text, row.path("out"));
      }
    }
    assertThat(refused).isEqualTo(6);
    assertThat(refusedHereOnly).isEqualTo(REFUSED_HERE_ONLY.size());
    assertThat(accepted).isEqualTo(206);
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> LimitNotation.parse(text))
        .as(text)
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void compare(String text, JsonNode out) {
    Limit limit = LimitNotation.parse(text);
    long rateMilli = out.path("refill_amount").asLong() * Limit.MILLI;
    // The original knows no burst: its capacity is our ceiling.
    long burstMilli = out.path("capacity").asLong() * Limit.MILLI;
    assertThat(limit)
        .isEqualTo(
            new Limit(
                out.path("name").asText(),
                Math.min(rateMilli, burstMilli),
                burstMilli,
                Refill.of(rateMilli, out.path("refill_period_seconds").asLong() * 1_000)));
    assertThat(LimitNotation.parse(LimitNotation.format(limit))).as(text).isEqualTo(limit);
  }
}
