package dev.millrace.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.NameRules;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names from the values of descriptors. */
class NameTemplateTest {
  @Test
  void render_validValue_isTheName() {
    assertThat(entity("t-{key.tenant}", "acme")).isEqualTo("t-acme");
  }

  @Test
  void render_valueThatIsNoName_isHashedAlwaysTheSame() {
    String first = entity("{key.tenant}", "/a b");
    assertThat(first).matches("h-[0-9a-f]{32}").isEqualTo(entity("{key.tenant}", "/a b"));
    assertThat(first).isNotEqualTo(entity("{key.tenant}", "/a c"));
  }

  @Test
  void render_emptyOrEndlessValue_isAName() {
    assertThat(entity("{key.tenant}", "")).startsWith("h-");
    assertThat(entity("{key.tenant}", "x".repeat(10_000))).startsWith("h-");
  }

  @Test
  void render_valueThatLooksLikeAPlace_isNotFilledAgain() {
    assertThat(entity("a-{key.tenant}", "{key.tenant}")).startsWith("h-");
    assertThat(
            NameTemplate.parse("{key.a}{key.b}").render(Map.of("a", "x", "b", "y"), name -> name))
        .isEqualTo("xy");
  }

  private static String entity(String template, String value) {
    return NameTemplate.parse(template).render(Map.of("tenant", value), NameRules::requireEntityId);
  }
}
