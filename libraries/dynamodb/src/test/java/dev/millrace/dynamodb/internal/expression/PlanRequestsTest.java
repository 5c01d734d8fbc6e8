package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.Buckets;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** The requests, character by character: a change to any of them is meant. */
class PlanRequestsTest {
  private static final String TABLE = "limits";
  private static final LimitChange FLOOR =
      new LimitChange("rpm", -900, 1_000, 900, LimitChange.NO_CEILING);
  private static final LimitChange CEILING =
      new LimitChange("rpm", -900, 1_000, LimitChange.NO_FLOOR, 9_900);
  private static final LimitChange BOTH = new LimitChange("rpm", -900, 1_000, 900, 9_900);
  private static final LimitChange NONE = LimitChange.unconditional("t-p.m", 100, 0);

  @Test
  void read_bucket_isConsistent() {
    GetItemRequest request = PlanRequests.read(TABLE, Buckets.KEY).build();
    assertThat(request.tableName()).isEqualTo(TABLE);
    assertThat(request.consistentRead()).isTrue();
    assertThat(plain(request.key()))
        .isEqualTo(Map.of("PK", "ns/BUCKET#user-1#gpt-4#0", "SK", "#STATE"));
    assertThat(request.projectionExpression()).isNull();
    assertThat(request.returnConsumedCapacity()).isEqualTo(ReturnConsumedCapacity.INDEXES);
  }

  @Test
  void create_bucket_onlyWhereThereIsNone() {
    WritePlan.Create plan = Buckets.create("rpm", "t-p.m");
    PutItemRequest request = PlanRequests.create(TABLE, plan).build();
    assertThat(request.tableName()).isEqualTo(TABLE);
    assertThat(request.conditionExpression()).isEqualTo("attribute_not_exists(PK)");
    assertThat(request.item()).isEqualTo(BucketCodec.encode(plan.state()));
    assertThat(request.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    assertThat(request.returnConsumedCapacity()).isEqualTo(ReturnConsumedCapacity.INDEXES);
  }

  @Test
  void update_anyPlan_asksForTheItemEitherWay() {
    for (UpdateItemRequest.Builder builder :
        List.of(
            PlanRequests.update(TABLE, Buckets.locked(BOTH)),
            PlanRequests.update(TABLE, Buckets.consume(BOTH)),
            PlanRequests.update(TABLE, Buckets.adjust(NONE)))) {
      UpdateItemRequest request = builder.build();
      assertThat(request.tableName()).isEqualTo(TABLE);
      assertThat(plain(request.key()))
          .isEqualTo(Map.of("PK", "ns/BUCKET#user-1#gpt-4#0", "SK", "#STATE"));
      assertThat(request.returnValues()).isEqualTo(ReturnValue.ALL_NEW);
      assertThat(request.returnValuesOnConditionCheckFailure())
          .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
      assertThat(request.returnConsumedCapacity()).isEqualTo(ReturnConsumedCapacity.INDEXES);
    }
  }

  @Test
  void locked_floor_rendersTheLockAndTheFloor() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.locked(FLOOR)).build();
    assertThat(request.updateExpression())
        .isEqualTo("SET rf = :rf, op = :op, #ttl = :ttl ADD #tk0 :tk0, #tc0 :tc0");
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND #tk0 >= :lo0");
    assertThat(request.expressionAttributeNames())
        .isEqualTo(Map.of("#ttl", "ttl", "#tk0", "b_rpm_tk", "#tc0", "b_rpm_tc"));
    assertThat(plain(request.expressionAttributeValues()))
        .isEqualTo(
            Map.of(
                ":rf0", "1700000000000",
                ":rf", "1700000000005",
                ":op", "op-1",
                ":ttl", "1700003600",
                ":tk0", "-900",
                ":tc0", "1000",
                ":lo0", "900"));
  }

  @Test
  void locked_ceiling_rendersTheCeiling() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.locked(CEILING)).build();
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND #tk0 <= :hi0");
    assertThat(plain(request.expressionAttributeValues()))
        .containsEntry(":hi0", "9900")
        .doesNotContainKey(":lo0");
  }

  @Test
  void locked_twoLimits_rendersBoth() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.locked(BOTH, NONE)).build();
    assertThat(request.updateExpression())
        .isEqualTo(
            "SET rf = :rf, op = :op, #ttl = :ttl"
                + " ADD #tk0 :tk0, #tc0 :tc0, #tk1 :tk1, #tc1 :tc1");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf = :rf0 AND attribute_not_exists(sl) AND #tk0 BETWEEN :lo0 AND :hi0 AND attribute_exists(#tk1)");
    assertThat(request.expressionAttributeNames())
        .isEqualTo(
            Map.of(
                "#ttl", "ttl",
                "#tk0", "b_rpm_tk",
                "#tc0", "b_rpm_tc",
                "#tk1", "b_t-p.m_tk",
                "#tc1", "b_t-p.m_tc"));
    assertThat(plain(request.expressionAttributeValues()))
        .containsEntry(":lo0", "900")
        .containsEntry(":hi0", "9900")
        .containsEntry(":tk1", "100")
        .containsEntry(":tc1", "0")
        .hasSize(10);
  }

  @Test
  void locked_neverExpiring_removesTheTtl() {
    UpdateItemRequest request =
        PlanRequests.update(
                TABLE, Buckets.locked(WritePlan.Parameters.UNCHANGED, BucketState.NEVER, FLOOR))
            .build();
    assertThat(request.updateExpression())
        .isEqualTo("SET rf = :rf, op = :op ADD #tk0 :tk0, #tc0 :tc0 REMOVE #ttl");
    assertThat(request.expressionAttributeValues()).doesNotContainKey(":ttl");
  }

  @Test
  void locked_setParameters_overwritesAllAndMakesItHard() {
    Limit limit = Limit.perMinute("rpm", 20).withBurst(30);
    UpdateItemRequest request =
        PlanRequests.update(
                TABLE,
                Buckets.locked(
                    new WritePlan.Parameters(List.of(limit), List.of(), List.of()),
                    Buckets.EXPIRES_SECONDS,
                    FLOOR))
            .build();
    assertThat(request.updateExpression())
        .isEqualTo(
            "SET rf = :rf, op = :op, #ttl = :ttl, #scp0 = :scp0, #sbx0 = :sbx0,"
                + " #sra0 = :sra0, #srp0 = :srp0 ADD #tk0 :tk0, #tc0 :tc0 REMOVE #ssf0");
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND #tk0 >= :lo0");
    assertThat(request.expressionAttributeNames())
        .containsEntry("#scp0", "b_rpm_cp")
        .containsEntry("#sbx0", "b_rpm_bx")
        .containsEntry("#sra0", "b_rpm_ra")
        .containsEntry("#srp0", "b_rpm_rp")
        .containsEntry("#ssf0", "b_rpm_sf");
    assertThat(plain(request.expressionAttributeValues()))
        .doesNotContainKey(":ssf0")
        .containsEntry(":scp0", "20000")
        .containsEntry(":sbx0", "30000")
        .containsEntry(":sra0", "20000")
        .containsEntry(":srp0", "60000");
  }

  @Test
  void locked_addedLimit_setsAllSixWhereThereAreNone() {
    LimitState added = new LimitState(Limit.perMinute("n.e-w", 20), 15_000, 5_000);
    UpdateItemRequest request =
        PlanRequests.update(
                TABLE,
                Buckets.locked(
                    new WritePlan.Parameters(List.of(), List.of(added), List.of()),
                    Buckets.EXPIRES_SECONDS,
                    FLOOR))
            .build();
    assertThat(request.updateExpression())
        .isEqualTo(
            "SET rf = :rf, op = :op, #ttl = :ttl, #atk0 = :atk0, #acp0 = :acp0, #abx0 = :abx0,"
                + " #ara0 = :ara0, #arp0 = :arp0, #atc0 = :atc0 ADD #tk0 :tk0, #tc0 :tc0");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf = :rf0 AND attribute_not_exists(sl) AND #tk0 >= :lo0 AND attribute_not_exists(#atk0)");
    assertThat(request.expressionAttributeNames())
        .containsEntry("#atk0", "b_n.e-w_tk")
        .containsEntry("#atc0", "b_n.e-w_tc");
    assertThat(plain(request.expressionAttributeValues()))
        .containsEntry(":atk0", "15000")
        .containsEntry(":acp0", "20000")
        .containsEntry(":abx0", "20000")
        .containsEntry(":ara0", "20000")
        .containsEntry(":arp0", "60000")
        .containsEntry(":atc0", "5000");
  }

  @Test
  void locked_removedLimit_removesAllWhenFullEnough() {
    UpdateItemRequest request =
        PlanRequests.update(
                TABLE,
                Buckets.locked(
                    new WritePlan.Parameters(
                        List.of(), List.of(), List.of(new WritePlan.Removal("old", 7_000))),
                    BucketState.NEVER,
                    FLOOR))
            .build();
    assertThat(request.updateExpression())
        .isEqualTo(
            "SET rf = :rf, op = :op ADD #tk0 :tk0, #tc0 :tc0"
                + " REMOVE #ttl, #rtk0, #rcp0, #rbx0, #rra0, #rrp0, #rtc0, #rsf0");
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND #tk0 >= :lo0 AND #rtk0 >= :min0");
    assertThat(request.expressionAttributeNames())
        .containsEntry("#rtk0", "b_old_tk")
        .containsEntry("#rbx0", "b_old_bx");
    assertThat(plain(request.expressionAttributeValues())).containsEntry(":min0", "7000");
  }

  @Test
  void locked_onlyNewLimits_addsNothing() {
    UpdateItemRequest request =
        PlanRequests.update(
                TABLE,
                Buckets.locked(
                    new WritePlan.Parameters(
                        List.of(),
                        List.of(LimitState.full(Limit.perMinute("new", 1))),
                        List.of(new WritePlan.Removal("old", 0))),
                    Buckets.EXPIRES_SECONDS))
            .build();
    assertThat(request.updateExpression()).doesNotContain(" ADD ");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf = :rf0 AND attribute_not_exists(sl) AND attribute_not_exists(#atk0) AND #rtk0 >= :min0");
  }

  @Test
  void consume_oneLimit_leavesTheTimestamp() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.consume(BOTH)).build();
    assertThat(request.updateExpression())
        .isEqualTo("SET op = :op, #ttl = :ttl ADD #tk0 :tk0, #tc0 :tc0");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf >= :rf0 AND attribute_not_exists(sl) AND attribute_not_exists(#off) AND #tk0 BETWEEN :lo0 AND :hi0");
    assertThat(request.expressionAttributeNames())
        .isEqualTo(Map.of("#ttl", "ttl", "#off", "off", "#tk0", "b_rpm_tk", "#tc0", "b_rpm_tc"));
    assertThat(plain(request.expressionAttributeValues()))
        .isEqualTo(
            Map.of(
                ":rf0", "1699999999900",
                ":op", "op-1",
                ":ttl", "1700003600",
                ":tk0", "-900",
                ":tc0", "1000",
                ":lo0", "900",
                ":hi0", "9900"));
  }

  @Test
  void consume_twoLimits_rendersBoth() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.consume(FLOOR, NONE)).build();
    assertThat(request.updateExpression())
        .isEqualTo("SET op = :op, #ttl = :ttl ADD #tk0 :tk0, #tc0 :tc0, #tk1 :tk1, #tc1 :tc1");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf >= :rf0 AND attribute_not_exists(sl) AND attribute_not_exists(#off) AND #tk0 >= :lo0"
                + " AND attribute_exists(#tk1)");
  }

  @Test
  void adjust_oneLimit_demandsOnlyThatItExists() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.adjust(NONE)).build();
    assertThat(request.updateExpression())
        .isEqualTo("SET op = :op, #ttl = :ttl ADD #tk0 :tk0, #tc0 :tc0");
    assertThat(request.conditionExpression())
        .isEqualTo("attribute_not_exists(sl) AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeNames())
        .isEqualTo(Map.of("#ttl", "ttl", "#tk0", "b_t-p.m_tk", "#tc0", "b_t-p.m_tc"));
    assertThat(plain(request.expressionAttributeValues()))
        .isEqualTo(Map.of(":op", "op-1", ":ttl", "1700003600", ":tk0", "100", ":tc0", "0"));
  }

  @Test
  void adjust_twoLimits_demandsBoth() {
    LimitChange other = LimitChange.unconditional("rpm", -5, 5);
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.adjust(NONE, other)).build();
    assertThat(request.conditionExpression())
        .isEqualTo(
            "attribute_not_exists(sl) AND attribute_exists(#tk0) AND attribute_exists(#tk1)");
  }

  @Test
  void adjust_nothing_demandsTheItem() {
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.adjust()).build();
    assertThat(request.updateExpression()).isEqualTo("SET op = :op, #ttl = :ttl");
    assertThat(request.conditionExpression())
        .isEqualTo("attribute_exists(PK) AND attribute_not_exists(sl)");
  }

  @Test
  void update_moreLimitsThanPrepared_stillHasPlaceholders() {
    LimitChange[] changes = new LimitChange[40];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = new LimitChange("l" + i, -i, i, i, 100 + i);
    }
    UpdateItemRequest request = PlanRequests.update(TABLE, Buckets.consume(changes)).build();
    assertThat(request.expressionAttributeNames()).containsEntry("#tk39", "b_l39_tk");
    assertThat(plain(request.expressionAttributeValues())).containsEntry(":hi39", "139");
    assertThat(request.conditionExpression()).endsWith("#tk39 BETWEEN :lo39 AND :hi39");
  }

  private static Map<String, String> plain(Map<String, AttributeValue> values) {
    Map<String, String> plain = new TreeMap<>();
    values.forEach((name, value) -> plain.put(name, value.s() == null ? value.n() : value.s()));
    return plain;
  }
}
