package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.Records;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class TransactionRequestsTest {
  private static final LimitChange CHANGE = new LimitChange("rpm", -1, 1, 1, 10_000);
  private static final RecordKey.Entity ENTITY = new RecordKey.Entity("ns", "x");

  @Test
  void of_plansAndChanges_areInTheirOrder() {
    BucketState other =
        BucketState.full(
            BucketKey.first("ns", "user-2", "gpt-4"), LimitSet.of(Limit.perMinute("rpm", 1)), 1);
    TransactWriteItemsRequest request =
        of(
            List.of(Buckets.consume(CHANGE), new WritePlan.Create(other)),
            List.of(
                new RecordChange.Check(ENTITY, 1),
                new RecordChange.Delete(new RecordKey.Job("ns", "1"), 1)));
    assertThat(request.clientRequestToken()).isEqualTo("token-1");
    assertThat(request.returnConsumedCapacity()).isEqualTo(ReturnConsumedCapacity.INDEXES);
    List<TransactWriteItem> items = request.transactItems();
    assertThat(items).hasSize(4);
    assertThat(items.get(0).update()).isNotNull();
    assertThat(items.get(1).put()).isNotNull();
    assertThat(items.get(2).conditionCheck()).isNotNull();
    assertThat(items.get(3).delete()).isNotNull();
  }

  /** What is written in a transaction is what is written alone. */
  @Test
  void of_anyPlan_hasTheExpressionsOfASingleWrite() {
    for (WritePlan plan :
        List.of(
            Buckets.consume(CHANGE),
            Buckets.locked(CHANGE),
            Buckets.adjust(CHANGE),
            new WritePlan.Resize(Buckets.KEY, 1, 2, /* addWcuMilli= */ -1_000, "op-1"))) {
      UpdateItemRequest single = PlanRequests.update("limits", plan).build();
      assertThat(of(List.of(plan), List.of()).transactItems().get(0).update())
          .satisfies(
              update -> {
                assertThat(update.tableName()).isEqualTo("limits");
                assertThat(update.key()).isEqualTo(single.key());
                assertThat(update.updateExpression()).isEqualTo(single.updateExpression());
                assertThat(update.conditionExpression()).isEqualTo(single.conditionExpression());
                assertThat(update.expressionAttributeNames())
                    .isEqualTo(single.expressionAttributeNames());
                assertThat(update.expressionAttributeValues())
                    .isEqualTo(single.expressionAttributeValues());
                assertThat(update.returnValuesOnConditionCheckFailure())
                    .isEqualTo(single.returnValuesOnConditionCheckFailure());
              });
    }
    PutItemRequest single = PlanRequests.create("limits", Buckets.create("rpm")).build();
    assertThat(of(List.of(Buckets.create("rpm")), List.of()).transactItems().get(0).put())
        .satisfies(
            put -> {
              assertThat(put.tableName()).isEqualTo("limits");
              assertThat(put.item()).isEqualTo(single.item());
              assertThat(put.conditionExpression()).isEqualTo(single.conditionExpression());
              assertThat(put.returnValuesOnConditionCheckFailure())
                  .isEqualTo(single.returnValuesOnConditionCheckFailure());
            });
  }

  @Test
  void of_remove_isADeleteOfWhatWasRead() {
    BucketKey shard = Buckets.KEY.withShard(1);
    List<TransactWriteItem> items =
        of(List.of(new WritePlan.Remove(shard, "op-0", "op-1")), List.of()).transactItems();
    assertThat(items).hasSize(1);
    assertThat(items.get(0).delete()).isEqualTo(removed(shard, "op = :op0", "op-0"));
  }

  /** A bucket whose last write has no id is one where it is missing. */
  @Test
  void of_removeOfABucketWithoutOp_demandsThatThereIsNone() {
    BucketKey shard = Buckets.KEY.withShard(1);
    assertThat(
            of(List.of(new WritePlan.Remove(shard, "", "op-1")), List.of())
                .transactItems()
                .get(0)
                .delete())
        .isEqualTo(
            removed(shard, "attribute_exists(PK) AND (attribute_not_exists(op) OR op = :op0)", ""));
  }

  private static Delete removed(BucketKey key, String condition, String expectedOp) {
    return Delete.builder()
        .tableName("limits")
        .key(BucketCodec.key(key))
        .conditionExpression(condition)
        .expressionAttributeValues(Map.of(":op0", AttributeValue.fromS(expectedOp)))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .build();
  }

  @Test
  void of_sameItemTwice_isRefused() {
    assertThatThrownBy(
            () -> of(List.of(Buckets.consume(CHANGE), Buckets.adjust(CHANGE)), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ns/BUCKET#user-1#gpt-4#0")
        .hasMessageEndingWith("twice");
    assertThatThrownBy(
            () ->
                of(
                    List.of(),
                    List.of(
                        new RecordChange.Check(ENTITY, 1),
                        new RecordChange.AddChildren(ENTITY, 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ns/ENTITY#x");
  }

  @Test
  void leastWriteUnits_anyPart_isTwoForEachStartedKilobyte() {
    EntityRecord small = Records.entity("ns", "x", null);
    EntityRecord large =
        new EntityRecord(
            new RecordKey.Entity("ns", "y"),
            1,
            "",
            null,
            List.of(),
            false,
            false,
            Map.of("notes", "x".repeat(2_500)),
            0,
            0);
    assertThat(
            TransactionRequests.leastWriteUnits(
                of(
                        List.of(
                            Buckets.consume(CHANGE),
                            new WritePlan.Remove(Buckets.KEY.withShard(1), "op-0", "op-1")),
                        List.of(
                            new RecordChange.Put(small, 0),
                            new RecordChange.Put(large, 0),
                            new RecordChange.Check(new RecordKey.Entity("ns", "z"), 1)))
                    .transactItems()))
        .isEqualTo(2 + 2 + 2 + 6 + 2);
  }

  private static TransactWriteItemsRequest of(List<WritePlan> plans, List<RecordChange> changes) {
    return TransactionRequests.of("limits", new StoreCall.Transaction(plans, changes, "token-1"))
        .build();
  }
}
