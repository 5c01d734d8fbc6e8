package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.Buckets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Stamps and soft limits in writes, character by character. */
class ConfigStampRequestsTest {
  private static final LimitChange CHANGE = LimitChange.unconditional("rpm", -900, 1_000);
  private static final String HEAD = "SET rf = :rf, op = :op, #ttl = :ttl";
  private static final String ADD = " ADD #tk0 :tk0, #tc0 :tc0";

  @Test
  void locked_wholeStamp_isSet() {
    UpdateItemRequest request =
        stamp(
            new ConfigStamp(
                ConfigLevel.ENTITY_RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 7), true));
    assertThat(request.updateExpression())
        .isEqualTo(HEAD + ", cv = :cv, lv = :lv, #off = :off" + ADD);
    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND attribute_exists(#tk0)");
    assertThat(request.expressionAttributeNames()).containsEntry("#off", "off");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":cv", AttributeValue.fromS("....7"))
        .containsEntry(":lv", AttributeValue.fromS("e"))
        .containsEntry(":off", AttributeValue.fromN("1"));
  }

  /** So that the item is again what it was before there was any stamp. */
  @Test
  void locked_defaultStamp_isRemoved() {
    UpdateItemRequest request = stamp(ConfigStamp.CALL);
    assertThat(request.updateExpression()).isEqualTo(HEAD + ADD + " REMOVE cv, lv, #off");
    assertThat(request.expressionAttributeValues()).doesNotContainKeys(":cv", ":lv", ":off");
  }

  @Test
  void locked_callStampWithVersion_keepsOnlyTheVersion() {
    assertThat(
            stamp(
                    new ConfigStamp(
                        ConfigLevel.CALL, RecordVersions.of(ConfigLevel.SYSTEM, 3), false))
                .updateExpression())
        .isEqualTo(HEAD + ", cv = :cv" + ADD + " REMOVE lv, #off");
  }

  @ParameterizedTest
  @CsvSource({"ENTITY_RESOURCE, e", "ENTITY, d", "RESOURCE, r", "SYSTEM, s"})
  void locked_level_isALetter(ConfigLevel level, String letter) {
    assertThat(
            stamp(new ConfigStamp(level, RecordVersions.of(ConfigLevel.SYSTEM, 1), false))
                .expressionAttributeValues())
        .containsEntry(":lv", AttributeValue.fromS(letter));
  }

  @Test
  void locked_softLimitSet_setsTheFlag() {
    UpdateItemRequest request =
        parameters(
            new WritePlan.Parameters(
                List.of(Limit.perMinute("rpm", 20).asSoft()), List.of(), List.of()));
    assertThat(request.updateExpression())
        .isEqualTo(
            HEAD
                + ", #scp0 = :scp0, #sbx0 = :sbx0, #sra0 = :sra0, #srp0 = :srp0, #ssf0 = :ssf0"
                + ADD);
    assertThat(request.expressionAttributeNames()).containsEntry("#ssf0", "b_rpm_sf");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":ssf0", AttributeValue.fromN("1"));
  }

  @Test
  void locked_softLimitAdded_setsTheFlag() {
    LimitState added = LimitState.full(Limit.perMinute("new", 1).asSoft());
    UpdateItemRequest request =
        parameters(new WritePlan.Parameters(List.of(), List.of(added), List.of()));
    assertThat(request.updateExpression())
        .isEqualTo(
            HEAD
                + ", #atk0 = :atk0, #acp0 = :acp0, #abx0 = :abx0, #ara0 = :ara0, #arp0 = :arp0,"
                + " #atc0 = :atc0, #asf0 = :asf0"
                + ADD);
    assertThat(request.expressionAttributeNames()).containsEntry("#asf0", "b_new_sf");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":asf0", AttributeValue.fromN("1"));
  }

  @Test
  void locked_removalWithoutFloor_demandsOnlyTheLimit() {
    UpdateItemRequest request =
        parameters(
            new WritePlan.Parameters(
                List.of(),
                List.of(),
                List.of(
                    new WritePlan.Removal("old", LimitChange.NO_FLOOR),
                    new WritePlan.Removal("older", -5))));
    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf = :rf0 AND attribute_not_exists(sl) AND attribute_exists(#tk0) AND attribute_exists(#rtk0) AND #rtk1 >= :min1");
    assertThat(request.expressionAttributeValues())
        .doesNotContainKey(":min0")
        .containsEntry(":min1", AttributeValue.fromN("-5"));
  }

  @Test
  void update_stampsOfOneShape_shareTheText() {
    UpdateItemRequest one =
        stamp(new ConfigStamp(ConfigLevel.SYSTEM, RecordVersions.of(ConfigLevel.SYSTEM, 1), false));
    UpdateItemRequest other =
        stamp(
            new ConfigStamp(ConfigLevel.ENTITY, RecordVersions.of(ConfigLevel.SYSTEM, 99), false));
    assertThat(one.updateExpression()).isSameAs(other.updateExpression());
  }

  private static UpdateItemRequest stamp(ConfigStamp stamp) {
    return parameters(new WritePlan.Parameters(List.of(), List.of(), List.of(), stamp));
  }

  private static UpdateItemRequest parameters(WritePlan.Parameters parameters) {
    return PlanRequests.update(
            "limits", Buckets.locked(parameters, Buckets.EXPIRES_SECONDS, CHANGE))
        .build();
  }
}
