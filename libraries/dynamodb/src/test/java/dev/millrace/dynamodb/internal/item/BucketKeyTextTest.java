package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.BucketKey;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.vectors.RecordedVectors;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketKeyTextTest {
  /** What the original reads and we refuse: it would be a second item of the same bucket. */
  private static final Set<String> STRICTER_HERE =
      Set.of("ns/BUCKET#u#a#b#3", "ns/BUCKET#u##0", "ns/BUCKET#u#r#-1", "ns/BUCKET#u#r#007");

  @Test
  void parse_format_isIdentity() {
    BucketKey key = new BucketKey("ns_1-x", "sk-proj-x:1@x.y", "openai/r_1.b-c/d", 65_535);
    assertThat(BucketCodec.parsePartition(Attributes.address(BucketCodec.key(key)).partition()))
        .isEqualTo(key);
  }

  @Test
  void partition_vectors_agree() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("keys")) {
      String partition =
          BucketCodec.partition(
              vector.get("namespace_id").asText(),
              vector.get("entity_id").asText(),
              vector.get("resource").asText(),
              vector.get("shard").asInt());
      assertThat(partition).isEqualTo(vector.get("out").get("pk_bucket").asText());
    }
  }

  @Test
  void parse_vectors_agreeOrAreRefused() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("parse")) {
      String text = vector.get("key").asText();
      if (vector.has("bucket") && !STRICTER_HERE.contains(text)) {
        JsonNode expected = vector.get("bucket");
        assertThat(BucketCodec.parsePartition(text))
            .isEqualTo(
                new BucketKey(
                    expected.get(0).asText(),
                    expected.get(1).asText(),
                    expected.get(2).asText(),
                    expected.get(3).asInt()));
      } else {
        assertThatThrownBy(() -> BucketCodec.parsePartition(text))
            .as(text)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BUCKET#u#r#0",
        "ns/BUCKET#u#r#",
        "ns/BUCKET#u#r#x",
        "ns/BUCKET#u#r#+1",
        "ns/BUCKET#u#r#1 ",
        "ns/BUCKET#u#r#65536",
        "ns/BUCKET#u#r#99999999999",
        "ns/BUCKET##r#0",
        "ns/BUCKET#",
        "_/BUCKET#u#r#0",
        "a/b/BUCKET#u#r#0",
        "ns/ENTITY#u"
      })
  void parse_noBucketsKey_isRefused(String text) {
    assertThatThrownBy(() -> BucketCodec.parsePartition(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
