package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.Buckets;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class UpdateTemplateTest {
  private static UpdateItemRequest request(WritePlan plan) {
    return PlanRequests.update("limits", plan).build();
  }

  private static String text(WritePlan plan) {
    UpdateItemRequest request = request(plan);
    return request.updateExpression()
        + request.conditionExpression()
        + request.expressionAttributeNames();
  }

  @Test
  void of_sameShapeOtherNumbers_isTheSameText() {
    UpdateItemRequest first = request(Buckets.consume(change("same", 1)));
    UpdateItemRequest second = request(Buckets.consume(change("same", 2)));
    assertThat(second.updateExpression()).isSameAs(first.updateExpression());
    assertThat(second.conditionExpression()).isSameAs(first.conditionExpression());
  }

  @Test
  void of_otherShape_isAnotherText() {
    LimitChange floorOnly = new LimitChange("rpm", -1, 1, 1, LimitChange.NO_CEILING);
    assertThat(
            List.of(
                text(Buckets.consume(change("rpm", 1))),
                text(Buckets.locked(change("rpm", 1))),
                text(Buckets.adjust(change("rpm", 1))),
                text(Buckets.consume(change("tpm", 1))),
                text(Buckets.consume(change("rpm", 1), change("tpm", 1))),
                text(Buckets.consume(floorOnly))))
        .doesNotHaveDuplicates();
  }

  /** A mistake of ours, which DynamoDB would call one of set-up. */
  @Test
  void of_limitWrittenTwice_isRefused() {
    for (WritePlan plan :
        List.of(
            Buckets.adjust(change("rpm", 1), change("rpm", 2)),
            Buckets.locked(
                new WritePlan.Parameters(
                    List.of(), List.of(), List.of(new WritePlan.Removal("rpm", 0))),
                Buckets.EXPIRES_SECONDS,
                change("rpm", 1)))) {
      assertThatThrownBy(() -> request(plan))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("attribute b_rpm_tk would be written twice");
    }
  }

  @Test
  void of_moreShapesThanAreKept_eachHasItsOwnText() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 3 * PlanRequests.MAX_TEMPLATES; i++) {
        assertThat(request(Buckets.consume(change("l" + i, 1))).expressionAttributeNames())
            .containsEntry("#tk0", "b_l" + i + "_tk");
      }
    }
  }

  private static LimitChange change(String name, long amountMilli) {
    return new LimitChange(name, -amountMilli, amountMilli, amountMilli, 10_000);
  }
}
