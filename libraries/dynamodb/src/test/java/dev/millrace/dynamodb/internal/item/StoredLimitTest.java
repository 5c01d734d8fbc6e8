package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.dynamodb.internal.schema.LimitField;
import dev.millrace.vectors.RecordedVectors;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredLimitTest {
  /** The limit and the suffix in the name of an attribute, null when it belongs to no limit. */
  private static @Nullable List<String> parse(String prefix, String attribute) {
    int separator = StoredLimit.separator(prefix, attribute);
    LimitField field = separator < 0 ? null : StoredLimit.field(attribute, separator + 1);
    boolean ofConfig = prefix.equals(LimitField.CONFIG_PREFIX);
    return field == null || (ofConfig && !field.isParameter())
        ? null
        : List.of(attribute.substring(prefix.length(), separator), field.suffix());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rpm", "x_tk", "tk", "a_b", "my-limit", "v1.2", "a_", "b_", "A.b-c_d"})
  void parse_attribute_isIdentity(String limitName) {
    for (LimitField field : LimitField.values()) {
      assertThat(parse(LimitField.PREFIX, field.attribute(limitName)))
          .isEqualTo(List.of(limitName, field.suffix()));
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
    assertThat(parse(LimitField.PREFIX, attribute)).isNull();
  }

  @Test
  void parse_vectors_agree() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("attr_parse")) {
      String attribute = vector.get("attr").asText();
      assertThat(parse(LimitField.CONFIG_PREFIX, attribute)).isEqualTo(parts(vector.get("limit")));
      assertThat(parse(LimitField.PREFIX, attribute)).isEqualTo(parts(vector.get("bucket")));
    }
  }

  private static @Nullable List<String> parts(JsonNode expected) {
    return expected.isNull() ? null : List.of(expected.get(0).asText(), expected.get(1).asText());
  }
}
