package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlan.Parameters;
import dev.millrace.dynamodb.Buckets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Divisions, levels and the reserved limit in writes, character by character. */
class ShardRequestsTest {
  private static final LimitChange CHANGE = LimitChange.unconditional("rpm", -900, 1_000);
  private static final long COST_MILLI = -1_000;

  @Test
  void locked_levelOfAShard_isDemanded() {
    UpdateItemRequest request = request(locked(4, Parameters.UNCHANGED, 0));
    assertThat(request.updateExpression())
        .isEqualTo("SET rf = :rf, op = :op ADD #tk0 :tk0, #tc0 :tc0 REMOVE #ttl");
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND sl = :sl0 AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeValues()).containsEntry(":sl0", number(4)).hasSize(6);
  }

  @Test
  void locked_cost_isAddedLast() {
    UpdateItemRequest request = request(locked(1, Parameters.UNCHANGED, COST_MILLI));
    assertThat(request.updateExpression())
        .isEqualTo("SET rf = :rf, op = :op ADD #tk0 :tk0, #tc0 :tc0, b_wcu_tk :wcu REMOVE #ttl");
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeNames()).doesNotContainValue("b_wcu_tk");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":wcu", number(-1_000))
        .hasSize(6);
  }

  @Test
  void locked_split_setsTheLevelForThatCount() {
    UpdateItemRequest request =
        request(locked(1, Parameters.dividing(Division.of(8, 2)), COST_MILLI));
    assertThat(request.updateExpression())
        .isEqualTo(
            "SET rf = :rf, op = :op, sl = :sl"
                + " ADD #tk0 :tk0, #tc0 :tc0, b_wcu_tk :wcu REMOVE #ttl");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf = :rf0 AND attribute_not_exists(sl) AND shard_count = :sc0"
                + " AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":sc0", number(8))
        .containsEntry(":sl", number(2))
        .doesNotContainKey(":sl0");
  }

  /** So that the item is again what it was before it was divided. */
  @Test
  void locked_mergeToTheWhole_removesTheLevel() {
    UpdateItemRequest request = request(locked(2, Parameters.dividing(Division.NONE), 0));
    assertThat(request.updateExpression())
        .isEqualTo("SET rf = :rf, op = :op ADD #tk0 :tk0, #tc0 :tc0 REMOVE #ttl, sl");
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND sl = :sl0 AND shard_count = :sc0 AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":sc0", number(1))
        .containsEntry(":sl0", number(2))
        .doesNotContainKey(":sl");
  }

  @Test
  void locked_divisionAndStamp_areBothSet() {
    Parameters parameters =
        new Parameters(
            List.of(),
            List.of(),
            List.of(),
            new ConfigStamp(ConfigLevel.SYSTEM, RecordVersions.of(ConfigLevel.SYSTEM, 7), false),
            Division.of(4, 4));
    assertThat(request(locked(2, parameters, 0)).updateExpression())
        .isEqualTo(
            "SET rf = :rf, op = :op, sl = :sl, cv = :cv, lv = :lv"
                + " ADD #tk0 :tk0, #tc0 :tc0 REMOVE #ttl, #off");
  }

  @Test
  void consume_levelAndCost_areRendered() {
    UpdateItemRequest request = request(consume(64, COST_MILLI));
    assertThat(request.updateExpression())
        .isEqualTo("SET op = :op ADD #tk0 :tk0, #tc0 :tc0, b_wcu_tk :wcu REMOVE #ttl");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf >= :rf0 AND sl = :sl0 AND attribute_not_exists(#off)"
                + " AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":sl0", number(64))
        .containsEntry(":wcu", number(-1_000));
  }

  /** It may be of a shard of any level: what was used must be written down. */
  @Test
  void adjust_neverExpiring_demandsNoLevel() {
    UpdateItemRequest request =
        request(
            new WritePlan.Adjust(
                Buckets.KEY, List.of(CHANGE), COST_MILLI, BucketState.NEVER, "op-1"));
    assertThat(request.updateExpression())
        .isEqualTo("SET op = :op ADD #tk0 :tk0, #tc0 :tc0, b_wcu_tk :wcu REMOVE #ttl");
    assertThat(request.conditionExpression()).isEqualTo("attribute_exists(#tk0)");
  }

  @Test
  void adjust_ofNothingWithACost_addsOnlyThat() {
    UpdateItemRequest request =
        request(
            new WritePlan.Adjust(Buckets.KEY, List.of(), COST_MILLI, BucketState.NEVER, "op-1"));
    assertThat(request.updateExpression()).isEqualTo("SET op = :op ADD b_wcu_tk :wcu REMOVE #ttl");
    assertThat(request.conditionExpression()).isEqualTo("attribute_exists(PK)");
  }

  @Test
  void resize_count_isDemandedAndSet() {
    UpdateItemRequest request =
        request(new WritePlan.Resize(Buckets.KEY, 2, 8, COST_MILLI, "op-1"));
    assertThat(request.updateExpression())
        .isEqualTo("SET shard_count = :sc, op = :op ADD b_wcu_tk :wcu REMOVE #ttl");
    assertThat(request.conditionExpression()).isEqualTo("shard_count = :sc0");
    assertThat(request.expressionAttributeNames()).isEqualTo(Map.of("#ttl", "ttl"));
    assertThat(request.expressionAttributeValues())
        .isEqualTo(
            Map.of(
                ":sc0", number(2),
                ":sc", number(8),
                ":wcu", number(-1_000),
                ":op", AttributeValue.fromS("op-1")));
  }

  @Test
  void resize_thatCostsNothing_addsNothing() {
    assertThat(request(new WritePlan.Resize(Buckets.KEY, 2, 8, 0, "op-1")).updateExpression())
        .isEqualTo("SET shard_count = :sc, op = :op REMOVE #ttl");
  }

  @Test
  void update_remove_isNone() {
    WritePlan remove = new WritePlan.Remove(Buckets.KEY.withShard(1), "op-0", "op-1");
    assertThatThrownBy(() -> PlanRequests.update("limits", remove))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void update_otherLevelsCountsAndCosts_shareTheText() {
    assertThat(request(consume(64, -1)).conditionExpression())
        .isSameAs(request(consume(2, -1_000)).conditionExpression());
    assertThat(request(locked(2, Parameters.dividing(Division.of(4, 4)), -1)).updateExpression())
        .isSameAs(
            request(locked(8, Parameters.dividing(Division.of(64, 16)), 5)).updateExpression());
    assertThat(request(new WritePlan.Resize(Buckets.KEY, 2, 8, -1, "op-1")).updateExpression())
        .isSameAs(request(new WritePlan.Resize(Buckets.KEY, 4, 2, -9, "op-2")).updateExpression());
  }

  private static WritePlan.Locked locked(int level, Parameters parameters, long addWcuMilli) {
    return new WritePlan.Locked(
        Buckets.KEY,
        Buckets.NOW_MS,
        level,
        Buckets.NOW_MS + 5,
        List.of(CHANGE),
        parameters,
        addWcuMilli,
        BucketState.NEVER,
        "op-1");
  }

  private static WritePlan.Consume consume(int level, long addWcuMilli) {
    return new WritePlan.Consume(
        Buckets.KEY,
        Buckets.NOW_MS - 100,
        level,
        List.of(CHANGE),
        addWcuMilli,
        BucketState.NEVER,
        "op-1");
  }

  private static UpdateItemRequest request(WritePlan plan) {
    return PlanRequests.update("limits", plan).build();
  }

  private static AttributeValue number(long value) {
    return AttributeValue.fromN(Long.toString(value));
  }
}
