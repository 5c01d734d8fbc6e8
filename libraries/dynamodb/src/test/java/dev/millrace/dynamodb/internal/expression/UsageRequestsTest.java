package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageWrite;
import dev.millrace.core.spi.usage.Window;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class UsageRequestsTest {
  private static final UsageKey KEY =
      UsageKey.at(
          "default",
          "key-42",
          "gpt-4",
          Window.parse("day@Europe/Berlin"),
          Instant.parse("2026-11-15T20:30:00Z").toEpochMilli());

  private static SequenceNumber number(int number) {
    return SequenceNumber.of(Integer.toString(number));
  }

  @Test
  void update_inOrder_addsAndGuards() {
    UpdateItemRequest request =
        UsageRequests.update(
                "limits",
                new UsageWrite(
                    KEY,
                    Map.of("rpm", 1_000L),
                    2,
                    new UsageWrite.InOrder(Map.of(3, new UsageWrite.Run(number(7), number(9)))),
                    1_900_000_000))
            .build();

    assertThat(request.updateExpression())
        .isEqualTo(
            "SET #e = :e, #r = :r, #w = :w, #b = :b, #ip = :ip, #is = :is, #ttl = :ttl, #s0 = :l0"
                + " ADD #n :n, #t0 :t0");
    assertThat(request.conditionExpression()).isEqualTo("(attribute_not_exists(#s0) OR #s0 < :f0)");
    assertThat(request.returnValuesOnConditionCheckFailure())
        .isEqualTo(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    assertThat(request.key())
        .isEqualTo(
            Map.of(
                "PK", AttributeValue.fromS("default/ENTITY#key-42"),
                "SK", AttributeValue.fromS("#USAGE#gpt-4#day@Europe/Berlin#2026-11-14T23:00Z")));
    assertThat(request.expressionAttributeNames())
        .containsEntry("#t0", "t_rpm")
        .containsEntry("#s0", "s_3")
        .containsEntry("#n", "events")
        .containsEntry("#ip", "GSI2PK");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":f0", AttributeValue.fromS("0".repeat(39) + "7"))
        .containsEntry(":l0", AttributeValue.fromS("0".repeat(39) + "9"))
        .containsEntry(":t0", AttributeValue.fromN("1000"))
        .containsEntry(":n", AttributeValue.fromN("2"))
        .containsEntry(
            ":is", AttributeValue.fromS("USAGE#day@Europe/Berlin#2026-11-14T23:00Z#key-42"));
  }

  @Test
  void update_severalShardsAndLimits_areInOrder() {
    UsageWrite.Run run = new UsageWrite.Run(number(7), number(9));
    UpdateItemRequest request =
        UsageRequests.update(
                "limits",
                new UsageWrite(
                    KEY,
                    Map.of("tpm", 5L, "rpm", -1L),
                    2,
                    new UsageWrite.InOrder(Map.of(1, run, UsageWrite.BEFORE_SHARDS, run)),
                    UsageWrite.NEVER))
            .build();
    assertThat(request.updateExpression())
        .isEqualTo(
            "SET #e = :e, #r = :r, #w = :w, #b = :b, #ip = :ip, #is = :is, #s0 = :l0, #s1 = :l1"
                + " ADD #n :n, #t0 :t0, #t1 :t1");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "(attribute_not_exists(#s0) OR #s0 < :f0) AND (attribute_not_exists(#s1) OR #s1 < :f1)");
    assertThat(request.expressionAttributeNames())
        .containsEntry("#s0", "s_old")
        .containsEntry("#s1", "s_1")
        .containsEntry("#t0", "t_rpm");
  }

  @Test
  void update_ofAStream_guardsByItsMarkOrByOneWithoutAName() {
    UsageWrite.Run run = new UsageWrite.Run(number(7), number(9));
    UpdateItemRequest request =
        UsageRequests.update(
                "limits",
                new UsageWrite(
                    KEY,
                    Map.of("rpm", 1_000L),
                    2,
                    new UsageWrite.InOrder("2026-11-18T17:14:04.123", Map.of(3, run)),
                    UsageWrite.NEVER))
            .build();

    assertThat(request.updateExpression())
        .isEqualTo(
            "SET #e = :e, #r = :r, #w = :w, #b = :b, #ip = :ip, #is = :is, #s0 = :l0"
                + " REMOVE #o0 ADD #n :n, #t0 :t0");
    assertThat(request.conditionExpression())
        .isEqualTo(
            "(#s0 < :f0 OR (attribute_not_exists(#s0)"
                + " AND (attribute_not_exists(#o0) OR #o0 < :f0)))");
    assertThat(request.expressionAttributeNames())
        .containsEntry("#s0", "s_3@2026-11-18T17:14:04.123")
        .containsEntry("#o0", "s_3");
  }

  @Test
  void update_lateOfAStream_marksTheRecordOfThatStream() {
    UpdateItemRequest request =
        UsageRequests.update(
                "limits",
                new UsageWrite(
                    KEY, Map.of("rpm", 1L), 1, new UsageWrite.Late("label", number(7)), 5))
            .build();

    assertThat(request.conditionExpression())
        .isEqualTo(
            "(attribute_not_exists(#late) OR"
                + " (NOT contains(#late, :one) AND NOT contains(#late, :old)))");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":late", AttributeValue.fromSs(List.of(number(7).digits() + "@label")))
        .containsEntry(":old", AttributeValue.fromS(number(7).digits()));
  }

  @Test
  void update_late_marksTheRecord() {
    UpdateItemRequest request =
        UsageRequests.update(
                "limits",
                new UsageWrite(KEY, Map.of("rpm", 1L), 1, new UsageWrite.Late(number(7)), 5))
            .build();
    assertThat(request.updateExpression()).endsWith(" ADD #n :n, #t0 :t0, #late :late");
    assertThat(request.conditionExpression())
        .isEqualTo("(attribute_not_exists(#late) OR NOT contains(#late, :one))");
    assertThat(request.expressionAttributeValues())
        .containsEntry(":late", AttributeValue.fromSs(List.of(number(7).digits())));
  }
}
