package dev.millrace.dynamodb.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.vectors.RecordedVectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitAttributeTest {
  @ParameterizedTest
  @ValueSource(strings = {"rpm", "x_tk", "tk", "a_b", "my-limit", "v1.2", "a_", "b_", "A.b-c_d"})
  void parse_attribute_isIdentity(String limitName) {
    for (LimitField field : LimitField.values()) {
      assertThat(LimitAttribute.parse(field.attribute(limitName)))
          .isEqualTo(new LimitAttribute(limitName, field));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "b",
        "b_",
        "b__",
        "b__tk",
        "b_tk",
        "b_rpm",
        "b_rpm_",
        "b_rpm_t",
        "b_rpm_tkk",
        "b_rpm_xx",
        "rf",
        "ttl",
        "l_rpm_cp",
        "B_rpm_tk",
        "entity_id",
        "shard_count"
      })
  void parse_other_isNull(String attribute) {
    assertThat(LimitAttribute.parse(attribute)).isNull();
  }

  @Test
  void parse_vectors_agree() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("attr_parse")) {
      String attribute = vector.get("attr").asText();
      JsonNode ofConfig = vector.get("limit");
      LimitAttribute config = LimitAttribute.parseOfConfig(attribute);
      assertThat(config == null).isEqualTo(ofConfig.isNull());
      if (config != null) {
        assertThat(config.limitName()).isEqualTo(ofConfig.get(0).asText());
        assertThat(config.field().suffix()).isEqualTo(ofConfig.get(1).asText());
      }
      LimitAttribute parsed = LimitAttribute.parse(attribute);
      JsonNode expected = vector.get("bucket");
      if (expected.isNull()) {
        assertThat(parsed).isNull();
      } else {
        assertThat(parsed)
            .extracting(LimitAttribute::limitName, part -> part.field().suffix())
            .containsExactly(expected.get(0).asText(), expected.get(1).asText());
      }
    }
  }
}
