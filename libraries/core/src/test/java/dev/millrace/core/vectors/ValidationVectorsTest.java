package dev.millrace.core.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.NameRules;
import dev.millrace.vectors.RecordedVectors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Names that are accepted and refused. The rules agree, with the exceptions that the tests list: a
 * trailing newline is refused. ({@code wcu} is not among the recorded names.)
 */
class ValidationVectorsTest {
  private static final JsonNode RECORDED = RecordedVectors.read("validation");

  @Test
  void requireEntityId_recordedIdentifiers_agreeButForTheTrailingNewline() {
    assertThat(differences("identifier", NameRules::requireEntityId)).containsExactly("a\n");
  }

  @Test
  void requireLimitName_recordedNames_agreeButForTheTrailingNewline() {
    assertThat(differences("limit_name", NameRules::requireLimitName)).containsExactly("a\n");
  }

  @Test
  void requireResource_recordedResources_agreeButForTheTrailingNewline() {
    assertThat(differences("resource", NameRules::requireResource)).containsExactly("a\n");
  }

  /** The values on which we differ; where both refuse, the rule is compared too. */
  private static List<String> differences(String kind, UnaryOperator<String> require) {
    List<String> differences = new ArrayList<>();
    int rows = 0;
    for (JsonNode row : RECORDED.path(kind)) {
      rows++;
      String value = row.path("value").asText();
      String refusal = refusal(require, value);
      if ((refusal == null) != row.path("ok").asBoolean()) {
        differences.add(value);
      } else if (refusal != null) {
        assertThat(refusal).as("%s", row).containsPattern(words(row.path("rule").asText()));
      }
    }
    assertThat(rows).isEqualTo(318);
    return differences;
  }

  private static @Nullable String refusal(UnaryOperator<String> require, String value) {
    try {
      assertThat(require.apply(value)).isSameAs(value);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Our words for a rule; where a name breaks several, we may name another one first. */
  private static String words(String rule) {
    return switch (rule) {
      case "empty" -> " is empty$";
      case "too_long" -> " has [0-9]+ characters, at most [0-9]+ allowed$";
      case "hash" -> "which separates the parts of a key$|which is reserved$";
      case "pattern" -> " begins with .+| contains .+ at position [0-9]+, allowed are ";
      default -> throw new AssertionError("unknown rule " + rule);
    };
  }
}
