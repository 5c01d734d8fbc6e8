package dev.millrace.dynamodb.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.Records;
import dev.millrace.vectors.RecordedVectors;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordAddressTest {
  private static final int ROUNDS = 500;

  @Test
  void of_vectors_agree() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("keys")) {
      String namespace = vector.get("namespace_id").asText();
      String entity = vector.get("entity_id").asText();
      String resource = vector.get("resource").asText();
      String event = vector.get("event_id").asText();
      JsonNode out = vector.get("out");
      if (namespace.contains("/")) { // our names are stricter: the slash ends the namespace
        assertThatThrownBy(() -> new RecordKey.Entity(namespace, entity))
            .isInstanceOf(IllegalArgumentException.class);
        continue;
      }
      if (!namespace.equals("_")) {
        assertAt(new RecordKey.Entity(namespace, entity), out, "pk_entity", "sk_meta");
        assertAt(
            RecordKey.Config.ofEntityResource(namespace, entity, resource),
            out,
            "pk_entity",
            "sk_config_resource");
        assertAt(
            RecordKey.Config.ofResource(namespace, resource), out, "pk_resource", "sk_config_none");
        assertAt(RecordKey.Config.ofSystem(namespace), out, "pk_system", "sk_config_none");
        assertThat(RecordAddress.of(new RecordKey.NamespaceById(namespace)))
            .isEqualTo(new ItemAddress("_/SYSTEM#", out.get("sk_nsid").asText()));
      }
      assertAt(new RecordKey.Audit(namespace, entity, event), out, "pk_audit", "sk_audit");
    }
  }

  private static void assertAt(RecordKey key, JsonNode out, String partition, String sort) {
    assertThat(RecordAddress.of(key))
        .isEqualTo(new ItemAddress(out.get(partition).asText(), out.get(sort).asText()));
  }

  @Test
  void of_keysThatTheVectorsDoNotHave_areThese() {
    assertThat(RecordAddress.of(RecordKey.Config.ofEntity("ns", "x")))
        .isEqualTo(new ItemAddress("ns/ENTITY#x", "#CONFIG#_default_"));
    assertThat(RecordAddress.of(new RecordKey.Job("ns", "01HX")))
        .isEqualTo(new ItemAddress("ns/SYSTEM#", "#JOB#01HX"));
    assertThat(RecordAddress.of(new RecordKey.Schema()))
        .isEqualTo(new ItemAddress("_/SYSTEM#", "#VERSION"));
    assertThat(RecordAddress.of(new RecordKey.NamespaceByName("prod")))
        .isEqualTo(new ItemAddress("_/SYSTEM#", "#NAMESPACE#prod"));
  }

  @Test
  void parse_of_isIdentity() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      RecordKey key = Records.random(new Random(seed)).key();
      assertThat(RecordAddress.parse(RecordAddress.of(key))).as("seed %d", seed).isEqualTo(key);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ns/ENTITY#x|#STATE",
        "ns/ENTITY#x|#USAGE#gpt-4#hour#2026",
        "ns/ENTITY#x|#CONFIG",
        "ns/ENTITY#x|#CONFIG#a b",
        "ns/ENTITY#|#META",
        "ns/ENTITY#x#y|#META",
        "_/ENTITY#x|#META",
        "a/b/ENTITY#x|#META",
        "/ENTITY#x|#META",
        "ENTITY#x|#META",
        "ns/RESOURCE#gpt-4|#META",
        "ns/SYSTEM#|#VERSION",
        "ns/SYSTEM#|#NAMESPACE#x",
        "ns/SYSTEM#x|#CONFIG",
        "_/SYSTEM#|#CONFIG",
        "_/SYSTEM#|#NSID#",
        "ns/SYSTEM#|#JOB#",
        "ns/AUDIT#|#AUDIT#1",
        "ns/AUDIT#x|#META",
        "ns/BUCKET#x#y#0|#STATE",
        "''|''"
      })
  void parse_noRecordsAddress_isRefused(String partition, String sort) {
    assertThatThrownBy(() -> RecordAddress.parse(new ItemAddress(partition, sort)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The keys of audit events and jobs are made without a check. */
  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "a/AUDIT#x", "a#b", "$x", "a b", "a\n"})
  void of_hostileNamespace_isRefused(String namespace) {
    assertThatThrownBy(() -> RecordAddress.of(new RecordKey.Audit(namespace, "x", "1")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RecordAddress.of(new RecordKey.Job(namespace, "1")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void of_textThatCannotBeStored_isRefused() {
    for (String text :
        new String[] {"", "a\nb", "\u0000", "a\ud800", "\udc00b", "x".repeat(1_901)}) {
      assertThatThrownBy(() -> RecordAddress.of(new RecordKey.Audit("ns", text, "1")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("subject");
      assertThatThrownBy(() -> RecordAddress.of(new RecordKey.Audit("ns", "x", text)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("audit id");
      assertThatThrownBy(() -> RecordAddress.of(new RecordKey.Job("ns", text)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("job id");
    }
  }

  /** The longest of each, in characters of three bytes, are keys that DynamoDB takes. */
  @Test
  void of_longestText_fitsAKey() {
    String namespace = "n".repeat(64);
    ItemAddress audit =
        RecordAddress.of(
            new RecordKey.Audit(namespace, "€".repeat(1_900 / 3), "€".repeat(1_000 / 3)));
    assertThat(audit.partition().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(2_048);
    assertThat(audit.sort().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(1_024);
    assertThat(RecordAddress.parse(audit)).isInstanceOf(RecordKey.Audit.class);
    assertThatThrownBy(() -> RecordAddress.of(new RecordKey.Job("ns", "€".repeat(334))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("job id has 1002 bytes, must have from 1 to 1000");
  }

  @Test
  void namespaceOf_anyKey_endsAtTheFirstSlash() {
    for (JsonNode vector : RecordedVectors.read("schema_keys").get("parse")) {
      String expected =
          vector.has("namespace_error") ? "" : vector.get("namespace").get(0).asText();
      assertThat(PartitionKeys.namespaceOf(vector.get("key").asText())).isEqualTo(expected);
    }
  }
}
