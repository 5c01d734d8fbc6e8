package dev.millrace.dynamodb.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.plan.WritePlan.LimitChange;
import dev.millrace.dynamodb.Buckets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpdateTextTest {
  @Test
  void of_sameShapeOtherNumbers_isTheSameText() {
    UpdateText first = UpdateText.of(UpdateShape.of(Buckets.consume(change("rpm", 1))));
    UpdateText second = UpdateText.of(UpdateShape.of(Buckets.consume(change("rpm", 2))));
    assertThat(second).isSameAs(first);
  }

  @Test
  void of_otherShape_isAnotherText() {
    UpdateText consume = UpdateText.of(UpdateShape.of(Buckets.consume(change("rpm", 1))));
    assertThat(UpdateText.of(UpdateShape.of(Buckets.locked(change("rpm", 1)))))
        .isNotEqualTo(consume);
    assertThat(UpdateText.of(UpdateShape.of(Buckets.adjust(change("rpm", 1)))))
        .isNotEqualTo(consume);
    assertThat(UpdateText.of(UpdateShape.of(Buckets.consume(change("tpm", 1)))))
        .isNotEqualTo(consume);
    LimitChange floorOnly = new LimitChange("rpm", -1, 1, 1, LimitChange.NO_CEILING);
    assertThat(UpdateText.of(UpdateShape.of(Buckets.consume(floorOnly)))).isNotEqualTo(consume);
  }

  /** A mistake of ours, which DynamoDB would call one of set-up. */
  @Test
  void of_limitWrittenTwice_isRefused() {
    for (UpdateShape shape :
        new UpdateShape[] {
          UpdateShape.of(Buckets.adjust(change("rpm", 1), change("rpm", 2))),
          UpdateShape.of(
              Buckets.locked(
                  new WritePlan.Parameters(
                      List.of(), List.of(), List.of(new WritePlan.Removal("rpm", 0))),
                  Buckets.EXPIRES_SECONDS,
                  change("rpm", 1)))
        }) {
      assertThatThrownBy(() -> UpdateText.of(shape))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("attribute b_rpm_tk would be written twice");
    }
  }

  @Test
  void of_manyShapes_staysBounded() {
    for (int i = 0; i < 3 * UpdateText.MAX_TEXTS; i++) {
      assertThat(UpdateText.of(UpdateShape.of(Buckets.consume(change("l" + i, 1)))).names())
          .containsValue("b_l" + i + "_tk");
      assertThat(UpdateText.kept()).isLessThanOrEqualTo(UpdateText.MAX_TEXTS);
    }
  }

  private static LimitChange change(String name, long amountMilli) {
    return new LimitChange(name, -amountMilli, amountMilli, amountMilli, 10_000);
  }
}
