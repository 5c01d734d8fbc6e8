package dev.millrace.dynamodb.internal.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.dynamodb.internal.legacy.CarryPlan.Kind;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Update;

class CarryPlanTest {
  private static final BucketState TODAY =
      BucketState.full(Old.KEY, LimitSet.of(Limit.perMinute("rpm", 100)), Old.NOW_MS);

  @Test
  void of_nothing_isNothing() {
    assertThat(plan(Old.items(), null, false).kind()).isEqualTo(Kind.NOTHING);
  }

  @Test
  void of_composite_makesTheBucketAndFencesTheItem() {
    CarryPlan plan = plan(Old.items(Old.composite(99_000, 1_000)), null, false);

    assertThat(plan.kind()).isEqualTo(Kind.MOVE);
    assertThat(plan.parts()).hasSize(2);
    assertThat(plan.parts().get(0).put().conditionExpression())
        .isEqualTo("attribute_not_exists(PK)");
    assertThat(plan.parts().get(0).put().item())
        .containsEntry("PK", AttributeValue.fromS("ns/BUCKET#user-123#gpt-4#0"))
        .containsEntry("b_rpm_tk", AttributeValue.fromN("99000"))
        .containsEntry("b_rpm_tc", AttributeValue.fromN("1000"));
    Update fence = plan.parts().get(1).update();
    assertThat(conditions(fence))
        .isEqualTo(
            Map.of(
                "b_rpm_bx", "100000",
                "b_rpm_cp", "100000",
                "b_rpm_ra", "100000",
                "b_rpm_rp", "60000",
                "b_rpm_tc", "1000",
                "b_rpm_tk", "99000",
                "rf", Long.toString(Old.NOW_MS - 1_000)));
    assertThat(sets(fence))
        .containsEntry("b_rpm_tk", Long.toString(Fences.BALANCE_MILLI))
        .containsEntry("rf", Long.toString(Old.NOW_MS - 999)) // a planned write loses its lock
        .containsEntry("moved", "2")
        .containsEntry("moved_rpm_tc", "1000")
        .containsEntry("moved_rpm_tk", "99000");
    assertThat(fence.updateExpression()).contains(" REMOVE ");
  }

  @Test
  void of_itemsOfOneLimit_putsAFenceThatNobodyReplaces() {
    CarryPlan plan =
        plan(
            Old.items(Old.perLimit("rpm", 1, 2, Old.NOW_MS), Old.perLimit("tpm", 3, 4, Old.NOW_MS)),
            null,
            false);

    assertThat(plan.kind()).isEqualTo(Kind.MOVE);
    assertThat(plan.parts()).hasSize(4);
    assertThat(plan.parts().get(1).put().item())
        .containsEntry("SK", AttributeValue.fromS("#BUCKET#gpt-4"))
        .containsEntry("moved", AttributeValue.fromN("1"))
        .containsEntry("moved_tpm_own", AttributeValue.fromN("4"))
        .containsEntry("b_tpm_tk", AttributeValue.fromN(Long.toString(Fences.BALANCE_MILLI)));
    assertThat(sets(plan.parts().get(3).update()))
        .containsEntry("tokens_milli", Long.toString(Fences.BALANCE_MILLI))
        .containsEntry("last_refill_ms", Long.toString(Old.NOW_MS + 1));
  }

  @Test
  void of_moved_isNothingUntilSomebodySettlesOrItIsToGo() {
    Map<String, AttributeValue> moved = moved(1_000);

    assertThat(plan(Old.items(moved), TODAY, false).kind()).isEqualTo(Kind.NOTHING);

    Old.put(moved, "b_rpm_tc", 1_300);
    CarryPlan fold = plan(Old.items(moved), TODAY, false);
    assertThat(fold.kind()).isEqualTo(Kind.FOLD);
    assertThat(numbers(fold.parts().get(0).update())).contains("-300", "300");
    assertThat(sets(fold.parts().get(1).update()))
        .containsEntry("moved_rpm_tk", "49700")
        .containsEntry("moved_rpm_tc", "1300")
        .containsEntry("moved_rpm_all", "1300");

    CarryPlan delete = plan(Old.items(moved), TODAY, true);
    assertThat(delete.kind()).isEqualTo(Kind.DELETE);
    assertThat(numbers(delete.parts().get(0).update())).contains("-300", "300");
    assertThat(delete.parts().get(1).delete()).isNotNull();
  }

  @Test
  void of_fenceThatWasReplaced_countsAndMends() {
    Map<String, AttributeValue> moved = moved(1_000);
    Old.put(moved, "moved_rpm_own", 70);

    CarryPlan fold = plan(Old.items(moved, Old.perLimit("rpm", 5, 75, Old.NOW_MS)), TODAY, false);

    assertThat(fold.kind()).isEqualTo(Kind.FOLD);
    assertThat(numbers(fold.parts().get(0).update())).contains("-5", "5");
    assertThat(sets(fold.parts().get(2).update()))
        .containsEntry("tokens_milli", Long.toString(Fences.BALANCE_MILLI));
  }

  @Test
  void of_lateChargeOfAnExpiredBucket_makesItAnewLessTheCharge() {
    Map<String, AttributeValue> moved = moved(1_000);
    Old.put(moved, "b_rpm_tc", 1_300);

    BucketState made = plan(Old.items(moved), null, true).made();

    assertThat(made).isNotNull();
    assertThat(made == null ? 0 : made.limits().get(0).tokensMilli()).isEqualTo(99_700);
  }

  @Test
  void of_bucketThatWasMadeWithoutIt_isChargedWhatTheOldOneLacked() {
    Map<String, AttributeValue> item = Old.composite(30_000, 1_000);
    Old.put(item, "rf", Old.NOW_MS);

    CarryPlan merge = plan(Old.items(item), TODAY, false);

    assertThat(merge.kind()).isEqualTo(Kind.MERGE);
    assertThat(numbers(merge.parts().get(0).update())).contains("-70000", "1000");
    assertThat(sets(merge.parts().get(1).update())).containsEntry("moved", "2");
  }

  @Test
  void of_halfAnItem_isChargedAndGoes() {
    Map<String, AttributeValue> half = Old.composite(-40, 40);
    half.keySet().removeIf(name -> name.startsWith("b_") && !name.matches(".*_t[kc]"));
    half.remove("rf");

    CarryPlan fold = plan(Old.items(half), TODAY, false);

    assertThat(fold.kind()).isEqualTo(Kind.FOLD);
    assertThat(numbers(fold.parts().get(0).update())).contains("-40", "40");
    assertThat(fold.parts().get(1).delete()).isNotNull();
  }

  @Test
  void of_everyCarryingWrite_saysSoInItsId() {
    CarryPlan plan = plan(Old.items(Old.composite(1, 2)), null, false);
    assertThat(plan.made()).isNotNull();
    assertThat(plan.made() == null ? "" : plan.made().op()).startsWith(BucketAttributes.CARRIED);
  }

  private static Map<String, AttributeValue> moved(long consumed) {
    Map<String, AttributeValue> item = Old.composite(Fences.BALANCE_MILLI, consumed);
    Old.put(item, "moved", 2);
    Old.put(item, "moved_rpm_tk", 50_000);
    Old.put(item, "moved_rpm_tc", consumed);
    Old.put(item, "moved_rpm_all", consumed);
    return item;
  }

  private static CarryPlan plan(OldItems items, @Nullable BucketState today, boolean cleanUp) {
    return CarryPlan.of(Old.TABLE, items, today, Old.NOW_MS, cleanUp);
  }

  private static Map<String, String> conditions(Update update) {
    return pairs(update, update.conditionExpression(), " AND ");
  }

  private static Map<String, String> sets(Update update) {
    String text = update.updateExpression();
    return pairs(update, text.substring("SET ".length(), text.indexOf(" REMOVE ")), ", ");
  }

  private static Map<String, String> pairs(Update update, String text, String separator) {
    Map<String, String> pairs = new HashMap<>();
    for (String part : text.split(separator, -1)) {
      String[] sides = part.split(" = ", -1);
      AttributeValue value =
          Objects.requireNonNull(update.expressionAttributeValues().get(sides[1]));
      pairs.put(
          update.expressionAttributeNames().get(sides[0]),
          value.n() == null ? value.s() : value.n());
    }
    return pairs;
  }

  private static List<String> numbers(Update update) {
    return update.expressionAttributeValues().values().stream()
        .map(value -> String.valueOf(value.n()))
        .toList();
  }
}
