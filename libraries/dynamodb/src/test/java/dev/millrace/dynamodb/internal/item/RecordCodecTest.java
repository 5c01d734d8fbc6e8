package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.OnUnavailable;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.Records;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records as items, attribute by attribute. */
class RecordCodecTest {
  private static final int ROUNDS = 2_000;

  @Test
  void decode_encode_isIdentity() {
    for (int seed = 0; seed < ROUNDS; seed++) {
      StoredRecord record = Records.random(new Random(seed));
      Map<String, AttributeValue> item = RecordCodec.encode(record);
      assertThat(RecordCodec.decode(item)).as("seed %d", seed).isEqualTo(record);
      assertThat(RecordCodec.decode(record.key(), item)).as("seed %d", seed).isEqualTo(record);
    }
  }

  @Test
  void decode_unknownAttributes_arePassedOver() {
    for (int seed = 0; seed < 100; seed++) {
      StoredRecord record = Records.random(new Random(seed));
      Map<String, AttributeValue> item = new HashMap<>(RecordCodec.encode(record));
      item.put("from_the_future", AttributeValue.fromM(Map.of()));
      item.put("l_rpm_zz", AttributeValue.fromBool(true));
      item.put("l_rpm_tk", AttributeValue.fromN("1"));
      assertThat(RecordCodec.decode(item)).as("seed %d", seed).isEqualTo(record);
    }
  }

  @Test
  void encode_entityWithParent_hasExactlyTheseAttributes() {
    assertThat(RecordCodec.encode(Records.entity("ns", "key-1", "team-1")))
        .containsOnly(
            text("PK", "ns/ENTITY#key-1"),
            text("SK", "#META"),
            number("version", 1),
            text("name", "key-1"),
            text("parent_id", "team-1"),
            entry("ancestors", AttributeValue.fromL(List.of(AttributeValue.fromS("team-1")))),
            entry("cascade", AttributeValue.fromBool(true)),
            entry("disabled", AttributeValue.fromBool(false)),
            entry("metadata", AttributeValue.fromM(Map.of("plan", AttributeValue.fromS("gold")))),
            number("created_at", 1_700_000_000_000L),
            number("children", 0),
            text("GSI1PK", "ns/PARENT#team-1"),
            text("GSI1SK", "CHILD#key-1"));
  }

  @Test
  void encode_entityWithoutParent_isAmongTheRoots() {
    assertThat(RecordCodec.encode(Records.entity("ns", "org-1", null)))
        .contains(text("GSI1PK", "ns/ROOTS"), text("GSI1SK", "CHILD#org-1"))
        .doesNotContainKeys("parent_id", "ancestors");
  }

  @Test
  void encode_configOfEntityAndResource_isIndexedByTheResource() {
    RecordKey.Config key = RecordKey.Config.ofEntityResource("ns", "key-1", "openai/gpt-4");
    Limit rpm = Limit.custom("rpm", 10, 5, java.time.Duration.ofMinutes(1)).withBurst(20);
    ConfigRecord config =
        new ConfigRecord(
            key,
            7,
            LimitSet.of(rpm, Limit.perMinute("t-p.m", 100).asSoft()),
            true,
            false,
            null,
            null);
    assertThat(RecordCodec.encode(config))
        .containsOnly(
            text("PK", "ns/ENTITY#key-1"),
            text("SK", "#CONFIG#openai/gpt-4"),
            number("version", 7),
            entry("cascade", AttributeValue.fromBool(true)),
            number("l_rpm_cp", 10_000),
            number("l_rpm_bx", 20_000),
            number("l_rpm_ra", 5_000),
            number("l_rpm_rp", 60_000),
            number("l_t-p.m_cp", 100_000),
            number("l_t-p.m_rp", 60_000),
            number("l_t-p.m_sf", 1),
            text("GSI4PK", "ns/ENTITY_CONFIG#openai/gpt-4"),
            text("GSI4SK", "key-1"));
  }

  @Test
  void encode_configOfEntity_isIndexedAmongTheDefaults() {
    assertThat(RecordCodec.encode(Records.config(RecordKey.Config.ofEntity("ns", "x"), 1, "rpm")))
        .contains(
            text("SK", "#CONFIG#_default_"),
            text("GSI4PK", "ns/ENTITY_CONFIG#_default_"),
            text("GSI4SK", "x"));
  }

  /** Else an entity would be listed as one with limits of its own for ever. */
  @Test
  void encode_emptiedConfigOfEntity_leavesTheIndex() {
    for (RecordKey.Config key :
        List.of(
            RecordKey.Config.ofEntity("ns", "x"),
            RecordKey.Config.ofEntityResource("ns", "x", "gpt-4"))) {
      assertThat(RecordCodec.encode(Records.config(key, 2))).doesNotContainKeys("GSI4PK", "GSI4SK");
    }
  }

  @Test
  void encode_configOfResource_isIndexedEvenWhenEmpty() {
    ConfigRecord config =
        Records.config(RecordKey.Config.ofResource("ns", "a/b"), 2).withDisabled(true);
    assertThat(RecordCodec.encode(config))
        .containsOnly(
            text("PK", "ns/RESOURCE#a/b"),
            text("SK", "#CONFIG"),
            number("version", 3),
            entry("disabled", AttributeValue.fromBool(true)),
            text("GSI4PK", "ns/RESOURCES"),
            text("GSI4SK", "a/b"));
  }

  @Test
  void encode_configOfSystem_isInNoIndex() {
    ConfigRecord config =
        new ConfigRecord(
            RecordKey.Config.ofSystem("ns"), 1, null, null, false, OnUnavailable.ALLOW, 90);
    assertThat(RecordCodec.encode(config))
        .containsOnly(
            text("PK", "ns/SYSTEM#"),
            text("SK", "#CONFIG"),
            number("version", 1),
            text("on_unavailable", "allow"),
            number("audit_retention_days", 90));
  }

  @Test
  void encode_audit_expiresAndIsIndexedByItsId() {
    assertThat(RecordCodec.encode(Records.audit("ns", "key-1", "01HX")))
        .containsOnly(
            text("PK", "ns/AUDIT#key-1"),
            text("SK", "#AUDIT#01HX"),
            number("version", 1),
            number("at", 1_700_000_000_000L),
            text("actor", "ops@example.com"),
            text("action", "limits.set"),
            entry(
                "after",
                AttributeValue.fromM(Map.of("limits", AttributeValue.fromS("rpm:10/minute")))),
            number("ttl", 1_800_000_000L),
            text("GSI4PK", "ns/AUDIT"),
            text("GSI4SK", "01HX"));
  }

  @Test
  void encode_job_expiresOnlyWhenDone() {
    assertThat(RecordCodec.encode(Records.job("ns", "01HX", /* done= */ false)))
        .containsOnly(
            text("PK", "ns/SYSTEM#"),
            text("SK", "#JOB#01HX"),
            number("version", 1),
            text("kind", "fan-out"),
            entry(
                "arguments",
                AttributeValue.fromM(Map.of("resource", AttributeValue.fromS("gpt-4")))),
            text("cursor", "cursor-1"),
            number("examined", 17),
            number("changed", 5),
            entry("done", AttributeValue.fromBool(false)),
            number("started_at", 1_700_000_000_000L),
            number("updated_at", 1_700_000_001_000L),
            number("expires_at", 1_800_000_000L));
    assertThat(RecordCodec.encode(Records.job("ns", "01HX", /* done= */ true)))
        .contains(number("ttl", 1_800_000_000L))
        .doesNotContainKey("cursor");
  }

  @Test
  void encode_namespace_hasExactlyTheseAttributes() {
    assertThat(RecordCodec.encode(Records.namespaceByName("prod", "4v0t")))
        .containsOnly(
            text("PK", "_/SYSTEM#"),
            text("SK", "#NAMESPACE#prod"),
            number("version", 1),
            text("name", "prod"),
            text("namespace_id", "4v0t"),
            text("state", "active"),
            number("changed_at", 1_700_000_000_000L));
  }

  /** DynamoDB takes no attribute without a name. */
  @Test
  void encode_fieldWithoutAName_isRefused() {
    AuditEvent event =
        new AuditEvent(
            new RecordKey.Audit("ns", "x", "1"), 0, "", "", Map.of("", "v"), Map.of(), 0);
    assertThatThrownBy(() -> RecordCodec.encode(event))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("before has a field without a name");
  }

  @Test
  void encode_namespaceUnderAnothersKey_isRefused() {
    NamespaceRecord record =
        new NamespaceRecord(
            new RecordKey.NamespaceById("other"),
            1,
            "prod",
            "4v0t",
            NamespaceRecord.State.ACTIVE,
            0);
    assertThatThrownBy(() -> RecordCodec.encode(record))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void encode_schema_isItsVersion() {
    assertThat(RecordCodec.encode(new SchemaRecord(3)))
        .containsOnly(text("PK", "_/SYSTEM#"), text("SK", "#VERSION"), number("version", 3));
  }

  @Test
  void decode_noRecordsKey_isCorrupt() {
    assertThatThrownBy(
            () ->
                RecordCodec.decode(
                    Map.of(
                        "PK", AttributeValue.fromS("ns/ENTITY#x"),
                        "SK", AttributeValue.fromS("#STATE"))))
        .isInstanceOfSatisfying(
            MillraceException.class,
            e -> {
              assertThat(e.summary()).isEqualTo("corrupt record");
              assertThat(e.attributes())
                  .containsEntry("partition", "ns/ENTITY#x")
                  .containsEntry("sort", "#STATE");
            });
    assertThatThrownBy(() -> RecordCodec.decode(Map.of()))
        .isInstanceOf(MillraceException.class)
        .hasMessageStartingWith("item without a key");
  }

  /** An event that is kept for ever has no time to live. */
  @Test
  void encode_auditForEver_hasNoTimeToLive() {
    AuditEvent event = Records.audit("ns", "x", "1");
    AuditEvent forEver =
        new AuditEvent(
            event.key(),
            event.atMs(),
            event.actor(),
            event.action(),
            event.before(),
            event.after(),
            0);
    assertThat(RecordCodec.encode(forEver)).doesNotContainKey("ttl");
  }

  private static Map.Entry<String, AttributeValue> text(String name, String value) {
    return entry(name, AttributeValue.fromS(value));
  }

  private static Map.Entry<String, AttributeValue> number(String name, long value) {
    return entry(name, AttributeValue.fromN(Long.toString(value)));
  }

  @Test
  void decode_schemaOfAnOlderTable_isOlder() {
    Map<String, AttributeValue> item =
        new HashMap<>(RecordCodec.encode(new SchemaRecord(SchemaRecord.SUPPORTED, 1)));
    assertThat(RecordCodec.decode(item)).isEqualTo(new SchemaRecord(3, 1));

    item.put("oldest", AttributeValue.fromN("4"));
    assertThatThrownBy(() -> RecordCodec.decode(item)).hasMessageContaining("oldest 4 is above");

    item.remove("version");
    item.put("schema_version", AttributeValue.fromS("0.8.0"));
    assertThat(RecordCodec.decode(item)).isEqualTo(new SchemaRecord(2));
  }
}
