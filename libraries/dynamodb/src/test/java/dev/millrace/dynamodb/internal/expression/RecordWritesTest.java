package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.dynamodb.Records;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Changes of records, character by character. */
class RecordWritesTest {
  private static final RecordKey.Entity KEY = new RecordKey.Entity("ns", "x");
  private static final Map<String, AttributeValue> ENTITY_KEY =
      Map.of("PK", AttributeValue.fromS("ns/ENTITY#x"), "SK", AttributeValue.fromS("#META"));

  @Test
  void put_absent_onlyWhereThereIsNone() {
    StoredRecord config = Records.config(RecordKey.Config.ofSystem("ns"), 1, "rpm");
    Put put = of(new RecordChange.Put(config, RecordChange.Put.ABSENT)).put();
    assertThat(put.tableName()).isEqualTo("limits");
    assertThat(put.item()).isEqualTo(RecordCodec.encode(config));
    assertThat(put.conditionExpression()).isEqualTo("attribute_not_exists(PK)");
    assertThat(put.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  @Test
  void put_version_replacesThatVersion() {
    StoredRecord config = Records.config(RecordKey.Config.ofSystem("ns"), 8, "rpm");
    Put put = of(new RecordChange.Put(config, 7)).put();
    assertThat(put.item()).isEqualTo(RecordCodec.encode(config));
    assertThat(put.conditionExpression()).isEqualTo("#version = :expected");
    assertThat(put.expressionAttributeNames()).isEqualTo(Map.of("#version", "version"));
    assertThat(put.expressionAttributeValues()).isEqualTo(Map.of(":expected", number(7)));
    assertThat(put.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  @Test
  void put_newEntity_hasNoChildrenWhateverItSays() {
    Put put = of(new RecordChange.Put(entity(1, null, 5), RecordChange.Put.ABSENT)).put();
    assertThat(put.item()).containsEntry("children", number(0));
  }

  /** A put would lose the children that were counted since the record was read. */
  @Test
  void put_entity_leavesTheChildren() {
    Update update = of(new RecordChange.Put(entity(4, "team", 5), 3)).update();
    assertThat(update.key()).isEqualTo(ENTITY_KEY);
    assertThat(update.updateExpression())
        .isEqualTo(
            "SET #GSI1PK = :GSI1PK, #GSI1SK = :GSI1SK, #ancestors = :ancestors,"
                + " #cascade = :cascade, #created_at = :created_at, #disabled = :disabled,"
                + " #metadata = :metadata, #name = :name, #parent_id = :parent_id,"
                + " #version = :version");
    assertThat(update.conditionExpression()).isEqualTo("#version = :expected");
    assertThat(update.expressionAttributeNames())
        .hasSize(10)
        .allSatisfy((placeholder, attribute) -> assertThat(placeholder).isEqualTo("#" + attribute));
    assertThat(update.expressionAttributeValues())
        .hasSize(11)
        .containsEntry(":expected", number(3))
        .containsEntry(":version", number(4))
        .containsEntry(":GSI1PK", AttributeValue.fromS("ns/PARENT#team"));
    assertThat(update.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  @Test
  void put_entityMovedToTheTop_removesTheParent() {
    Update update = of(new RecordChange.Put(entity(4, null, 0), 3)).update();
    assertThat(update.updateExpression()).endsWith(" REMOVE #ancestors, #parent_id");
    assertThat(update.expressionAttributeValues())
        .containsEntry(":GSI1PK", AttributeValue.fromS("ns/ROOTS"))
        .doesNotContainKeys(":parent_id", ":ancestors");
  }

  /** Versions only grow: the sum of them tells which of two resolutions is the later one. */
  @Test
  void put_versionThatDoesNotGrow_isRefused() {
    for (long expected : new long[] {4, 5}) {
      RecordChange put = new RecordChange.Put(entity(4, null, 0), expected);
      assertThatThrownBy(() -> of(put))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("version 4 of")
          .hasMessageEndingWith("must be greater than the expected one, " + expected);
    }
  }

  @Test
  void delete_entity_onlyWithoutChildren() {
    Delete delete = of(new RecordChange.Delete(KEY, 3)).delete();
    assertThat(delete.key()).isEqualTo(ENTITY_KEY);
    assertThat(delete.conditionExpression())
        .isEqualTo("#version = :expected AND #children = :none");
    assertThat(delete.expressionAttributeNames())
        .isEqualTo(Map.of("#version", "version", "#children", "children"));
    assertThat(delete.expressionAttributeValues())
        .isEqualTo(Map.of(":expected", number(3), ":none", number(0)));
    assertThat(delete.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  @Test
  void delete_other_onlyOfThatVersion() {
    Delete delete = of(new RecordChange.Delete(new RecordKey.Job("ns", "1"), 3)).delete();
    assertThat(delete.conditionExpression()).isEqualTo("#version = :expected");
    assertThat(delete.expressionAttributeValues()).isEqualTo(Map.of(":expected", number(3)));
  }

  @Test
  void addChildren_oneMore_demandsTheEntity() {
    Update update = of(new RecordChange.AddChildren(KEY, 1)).update();
    assertThat(update.key()).isEqualTo(ENTITY_KEY);
    assertThat(update.updateExpression()).isEqualTo("ADD #children :delta");
    assertThat(update.conditionExpression()).isEqualTo("#children >= :least");
    assertThat(update.expressionAttributeNames()).isEqualTo(Map.of("#children", "children"));
    assertThat(update.expressionAttributeValues())
        .isEqualTo(Map.of(":delta", number(1), ":least", number(0)));
  }

  @Test
  void addChildren_less_demandsAsMany() {
    assertThat(of(new RecordChange.AddChildren(KEY, -2)).update().expressionAttributeValues())
        .isEqualTo(Map.of(":delta", number(-2), ":least", number(2)));
  }

  @Test
  void addChildren_version_isDemandedToo() {
    Update update = of(new RecordChange.AddChildren(KEY, 1, 9)).update();
    assertThat(update.conditionExpression())
        .isEqualTo("#children >= :least AND #version = :expected");
    assertThat(update.expressionAttributeValues()).containsEntry(":expected", number(9));
  }

  @Test
  void check_record_onlyLooks() {
    ConditionCheck check = of(new RecordChange.Check(KEY, 3)).conditionCheck();
    assertThat(check.key()).isEqualTo(ENTITY_KEY);
    assertThat(check.conditionExpression()).isEqualTo("#version = :expected");
    assertThat(check.expressionAttributeValues()).isEqualTo(Map.of(":expected", number(3)));
    assertThat(check.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
  }

  private static EntityRecord entity(long version, @Nullable String parentId, long children) {
    return new EntityRecord(
        KEY,
        version,
        "X",
        parentId,
        parentId == null ? List.of() : List.of(parentId),
        true,
        false,
        Map.of("a", "b"),
        1,
        children);
  }

  private static TransactWriteItem of(RecordChange change) {
    return TransactionRequests.part("limits", change);
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
