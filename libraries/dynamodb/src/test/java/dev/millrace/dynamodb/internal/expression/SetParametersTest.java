package dev.millrace.dynamodb.internal.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Parameters that are set: never on a limit that the bucket does not have. */
class SetParametersTest {
  private static UpdateItemRequest setRpm(LimitChange... changes) {
    WritePlan.Parameters parameters =
        new WritePlan.Parameters(List.of(Limit.perMinute("rpm", 100)), List.of(), List.of());
    return PlanRequests.update(
            "limits",
            new WritePlan.Locked(
                BucketKey.first("default", "key-42", "gpt-4"),
                1,
                2,
                List.of(changes),
                parameters,
                9,
                "op"))
        .build();
  }

  @Test
  void update_setOfChangedLimit_asksOnce() {
    UpdateItemRequest request = setRpm(LimitChange.unconditional("rpm", 5, 0));

    assertThat(request.conditionExpression())
        .isEqualTo("rf = :rf0 AND attribute_not_exists(sl) AND attribute_exists(#tk0)");
  }

  @Test
  void update_setWithoutChange_asksThatTheLimitIsThere() {
    UpdateItemRequest request = setRpm(LimitChange.unconditional("tpm", 5, 0));

    assertThat(request.conditionExpression())
        .isEqualTo(
            "rf = :rf0 AND attribute_not_exists(sl) AND attribute_exists(#tk0) AND attribute_exists(#scp0)");
    assertThat(request.expressionAttributeNames())
        .containsEntry("#tk0", "b_tpm_tk")
        .containsEntry("#scp0", "b_rpm_cp");
  }
}
