package dev.millrace.dynamodb.internal.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.Records;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What is read is checked: a guess would admit or refuse wrongly. */
class CorruptRecordTest {
  private static final StoredRecord ENTITY = Records.entity("ns", "x", "team");
  private static final StoredRecord CONFIG =
      Records.config(RecordKey.Config.ofSystem("ns"), 1, "rpm");
  private static final StoredRecord NAMESPACE = Records.namespaceByName("prod", "4v0t");
  private static final StoredRecord AUDIT = Records.audit("ns", "x", "1");
  private static final StoredRecord JOB = Records.job("ns", "1", false);
  private static final StoredRecord SCHEMA = new SchemaRecord(3);
  private static final AttributeValue TEXT = AttributeValue.fromS("text");
  private static final AttributeValue TRUE = AttributeValue.fromBool(true);

  static Stream<Arguments> needed() {
    return Stream.of(
            needs(ENTITY, "version", "name", "cascade", "disabled", "created_at", "children"),
            needs(CONFIG, "version", "l_rpm_cp", "l_rpm_rp"),
            needs(NAMESPACE, "version", "name", "namespace_id", "state", "changed_at"),
            needs(AUDIT, "at", "actor", "action"),
            needs(JOB, "version", "kind", "examined", "changed", "done"),
            needs(JOB, "started_at", "updated_at"),
            needs(SCHEMA, "version"))
        .flatMap(s -> s);
  }

  private static Stream<Arguments> needs(StoredRecord record, String... attributes) {
    return Stream.of(attributes).map(attribute -> Arguments.of(record, attribute));
  }

  @ParameterizedTest
  @MethodSource("needed")
  void decode_missingAttribute_isNamed(StoredRecord record, String attribute) {
    Map<String, AttributeValue> item = item(record);
    item.remove(attribute);
    assertCorrupt(item, attribute.replaceAll("^l_rpm_", "").concat(" is missing"));
  }

  @ParameterizedTest
  @MethodSource("needed")
  void decode_anotherType_isNamed(StoredRecord record, String attribute) {
    Map<String, AttributeValue> item = item(record);
    item.put(attribute, AttributeValue.fromNul(true));
    assertCorrupt(item, attribute.replaceAll("^l_rpm_", ""));
  }

  static Stream<Arguments> senseless() {
    return Stream.of(
        Arguments.of(ENTITY, "version", number("0"), "version 0 is below 1"),
        Arguments.of(ENTITY, "version", number("1.5"), "version is not a whole number"),
        Arguments.of(ENTITY, "children", number("-1"), "children -1 is below 0"),
        Arguments.of(ENTITY, "parent_id", AttributeValue.fromS("a#b"), "parent_id: entityId 'a#b'"),
        Arguments.of(ENTITY, "parent_id", TRUE, "parent_id is not a text"),
        Arguments.of(ENTITY, "ancestors", TEXT, "ancestors is not a list"),
        Arguments.of(ENTITY, "ancestors", list(TRUE), "an element of ancestors is not a text"),
        Arguments.of(ENTITY, "ancestors", list(AttributeValue.fromS("")), "ancestors: entityId ''"),
        Arguments.of(
            ENTITY,
            "ancestors",
            AttributeValue.fromL(Collections.nCopies(9, TEXT)),
            "it has 9 ancestors, at most 8"),
        Arguments.of(ENTITY, "metadata", TEXT, "metadata is not a map"),
        Arguments.of(
            ENTITY, "metadata", AttributeValue.fromM(Map.of("a", TRUE)), "metadata.a is not a"),
        Arguments.of(CONFIG, "l_rpm_cp", number("0"), "limit rpm: "),
        Arguments.of(CONFIG, "l_rpm_sf", number("2"), "limit rpm: sf 2 must be 1 or absent"),
        Arguments.of(CONFIG, "l_wcu_cp", number("5"), "limit wcu: rp is missing"),
        Arguments.of(CONFIG, "cascade", TEXT, "cascade is not true or false"),
        Arguments.of(CONFIG, "on_unavailable", TEXT, "on_unavailable 'text' is neither"),
        Arguments.of(CONFIG, "audit_retention_days", number("-1"), "is below 0"),
        Arguments.of(CONFIG, "audit_retention_days", number("2147483648"), "is out of range"),
        Arguments.of(NAMESPACE, "state", TEXT, "state 'text' is none of active, deleted, purging"),
        Arguments.of(NAMESPACE, "name", AttributeValue.fromS("a#b"), "name: namespace 'a#b'"),
        Arguments.of(NAMESPACE, "name", AttributeValue.fromS("other"), "not those of its key"),
        Arguments.of(NAMESPACE, "namespace_id", AttributeValue.fromS("a/b"), "namespace_id: "),
        Arguments.of(AUDIT, "before", TEXT, "before is not a map"),
        Arguments.of(AUDIT, "ttl", TEXT, "ttl is not a number"),
        Arguments.of(JOB, "cursor", TRUE, "cursor is not a text"),
        Arguments.of(SCHEMA, "version", number("-3"), "version -3 is below 1"));
  }

  @ParameterizedTest
  @MethodSource("senseless")
  void decode_senselessValue_saysWhy(
      StoredRecord record, String attribute, AttributeValue value, String problem) {
    Map<String, AttributeValue> item = item(record);
    item.put(attribute, value);
    assertCorrupt(item, problem);
  }

  @Test
  void decode_moreLimitsThanABucketHolds_isCorrupt() {
    Map<String, AttributeValue> item = item(CONFIG);
    for (int i = 0; i < 20; i++) {
      item.put("l_x" + i + "_cp", number("1000"));
      item.put("l_x" + i + "_rp", number("1000"));
    }
    assertCorrupt(item, "21 given, at most 16");
  }

  private static void assertCorrupt(Map<String, AttributeValue> item, String problem) {
    assertThatThrownBy(() -> RecordCodec.decode(item))
        .isInstanceOfSatisfying(
            MillraceException.class,
            e -> {
              assertThat(e.summary()).isEqualTo("corrupt record");
              assertThat(e.attributes()).containsKeys("partition", "sort");
              assertThat(e.attributes().get("problem")).asString().contains(problem);
            });
  }

  private static Map<String, AttributeValue> item(StoredRecord record) {
    return new HashMap<>(RecordCodec.encode(record));
  }

  private static AttributeValue number(String number) {
    return AttributeValue.fromN(number);
  }

  private static AttributeValue list(AttributeValue element) {
    return AttributeValue.fromL(List.of(element));
  }
}
