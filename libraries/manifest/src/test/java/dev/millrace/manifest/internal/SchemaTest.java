package dev.millrace.manifest.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.LimitNotation;
import dev.millrace.manifest.ManifestException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema knows what the reader knows. */
class SchemaTest {
  private static JsonNode schema;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream in = ManifestException.class.getResourceAsStream("manifest.schema.json")) {
      schema = new ObjectMapper().readTree(in);
    }
  }

  private static Set<String> properties(String pointer) {
    Set<String> names = new HashSet<>();
    JsonNode node = schema.at(pointer);
    assertThat(node.get("additionalProperties").asBoolean(true)).as(pointer).isFalse();
    node.get("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void fields_areThoseOfTheReader() {
    assertThat(properties("")).isEqualTo(ManifestReader.TOP);
    assertThat(properties("/$defs/system")).isEqualTo(SpecParser.SYSTEM);
    assertThat(properties("/$defs/resource")).isEqualTo(SpecParser.RESOURCE);
    assertThat(properties("/$defs/entity")).isEqualTo(SpecParser.ENTITY);
    assertThat(properties("/$defs/entityResource")).isEqualTo(SpecParser.ENTITY_RESOURCE);
    assertThat(properties("/$defs/limit")).isEqualTo(LimitParser.FIELDS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rpm:100", "rpm:100/2day:5:soft", "a.b-c_d:1/90sec", "rpm:", "rpm:1/week"})
  void limitText_isWhatTheNotationReads(String text) {
    boolean inSchema = Pattern.matches(schema.at("/$defs/limitText/pattern").asText(), text);

    assertThat(inSchema).isEqualTo(isRead(text));
  }

  private static boolean isRead(String text) {
    try {
      return LimitNotation.parse(text) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
