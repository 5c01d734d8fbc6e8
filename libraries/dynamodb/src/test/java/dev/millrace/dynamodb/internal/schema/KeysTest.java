package dev.millrace.dynamodb.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.vectors.RecordedVectors;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Keys of buckets, entities and configs are those of the original; the others are our own. */
class KeysTest {
  @Test
  void keys_vectors_agree() {
    JsonNode vectors = RecordedVectors.read("schema_keys").get("keys");
    assertThat(vectors).isNotEmpty();
    for (JsonNode vector : vectors) {
      String namespace = vector.get("namespace_id").asText();
      String entity = vector.get("entity_id").asText();
      String resource = vector.get("resource").asText();
      String eventId = vector.get("event_id").asText();
      int shard = vector.get("shard").asInt();
      JsonNode expected = vector.get("out");

      Map<String, String> actual =
          Map.ofEntries(
              Map.entry("pk_entity", PartitionKeys.entity(namespace, entity)),
              Map.entry("pk_system", PartitionKeys.system(namespace)),
              Map.entry("pk_resource", PartitionKeys.resource(namespace, resource)),
              Map.entry("pk_audit", PartitionKeys.audit(namespace, entity)),
              Map.entry("sk_state", SortKeys.STATE),
              Map.entry("sk_meta", SortKeys.META),
              Map.entry("sk_version", SortKeys.VERSION),
              Map.entry("sk_config_none", SortKeys.CONFIG),
              Map.entry("sk_config_resource", SortKeys.CONFIGS + resource),
              Map.entry("sk_audit", SortKeys.AUDITS + eventId),
              Map.entry("sk_namespace", SortKeys.NAMESPACES + entity),
              Map.entry("sk_nsid", SortKeys.NAMESPACE_IDS + namespace),
              Map.entry("gsi1_pk_parent", TableIndex.childrenOf(namespace, entity)),
              Map.entry("gsi1_sk_child", TableIndex.CHILD + entity),
              Map.entry("gsi2_pk_resource", PartitionKeys.resource(namespace, resource)),
              Map.entry("gsi2_sk_bucket", TableIndex.bucketOfResource(entity, shard)),
              Map.entry("gsi3_pk_entity", PartitionKeys.entity(namespace, entity)),
              Map.entry("gsi3_sk_bucket", TableIndex.bucketOfEntity(resource, shard)));

      actual.forEach(
          (name, key) ->
              assertThat(key).as("%s of %s", name, vector).isEqualTo(expected.get(name).asText()));
    }
  }

  @Test
  void attributes_vectors_agree() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("keys")) {
      String limit = vector.get("limit").asText();
      JsonNode expected = vector.get("out").get("bucket_attrs");
      for (LimitField field : LimitField.values()) {
        // The ceiling of its own and soft limits are ours.
        if (field != LimitField.BURST && field != LimitField.SOFT) {
          assertThat(field.attribute(limit)).isEqualTo(expected.get(field.suffix()).asText());
        }
      }
    }
  }

  @Test
  void configAttributes_vectors_agree() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("keys")) {
      String limit = vector.get("limit").asText();
      vector
          .get("out")
          .get("limit_attrs")
          .properties()
          .forEach(
              expected -> {
                String attribute = expected.getValue().asText();
                assertThat(LimitField.values())
                    .filteredOn(field -> field.suffix().equals(expected.getKey()))
                    .singleElement()
                    .satisfies(
                        field -> {
                          assertThat(field.isParameter()).isTrue();
                          assertThat(field.configAttribute(limit)).isEqualTo(attribute);
                        });
              });
    }
  }

  @Test
  void table_systemNamespace_isReserved() {
    assertThat(PartitionKeys.table()).isEqualTo("_/SYSTEM#");
  }

  @Test
  void config_defaultResource_isNoResourcesKey() {
    assertThat(SortKeys.CONFIGS + SortKeys.DEFAULT_RESOURCE).isEqualTo("#CONFIG#_default_");
  }

  @Test
  void usage_hourAndDayThatBeginTogether_differ() {
    String start = "2026-05-01T00:00:00Z";
    assertThat(SortKeys.usage("gpt-4", "hour", start))
        .isEqualTo("#USAGE#gpt-4#hour#2026-05-01T00:00:00Z")
        .isNotEqualTo(SortKeys.usage("gpt-4", "day", start));
    assertThat(TableIndex.usageOfResource("hour", start, "user-1"))
        .isEqualTo("USAGE#hour#2026-05-01T00:00:00Z#user-1");
  }

  @Test
  void configsOfResource_entities_areTheSortKey() {
    assertThat(TableIndex.configsOfResource("ns", "gpt-4")).isEqualTo("ns/ENTITY_CONFIG#gpt-4");
    assertThat(TableIndex.childrenOf("ns", null)).isEqualTo("ns/ROOTS");
    assertThat(TableIndex.resources("ns")).isEqualTo("ns/RESOURCES");
    assertThat(TableIndex.audit("ns")).isEqualTo("ns/AUDIT");
  }
}
