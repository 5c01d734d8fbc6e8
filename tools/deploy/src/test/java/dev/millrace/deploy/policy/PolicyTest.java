package dev.millrace.deploy.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The judge itself: one that allows everything would find every policy good. */
class PolicyTest {
  private static final ApiCall GET =
      new ApiCall("dynamodb:GetItem", "arn:t", List.of("a/ENTITY#1"));

  private static Policy policy(String... statements) throws Exception {
    return Policy.of(
        new ObjectMapper().readTree("{\"Statement\":[" + String.join(",", statements) + "]}"));
  }

  private static String allow(String action, String resource, String more) {
    return "{\"Sid\":\"S\",\"Effect\":\"Allow\",\"Action\":%s,\"Resource\":\"%s\"%s}"
        .formatted(action, resource, more);
  }

  private static String leading(String operator, String values) {
    return ",\"Condition\":{\"%s\":{\"dynamodb:LeadingKeys\":%s}}".formatted(operator, values);
  }

  @Test
  void allows_nothingSaid_isDenied() throws Exception {
    assertThat(policy().allows(GET)).isFalse();
  }

  @Test
  void allows_actionAndResource_bothMustMatch() throws Exception {
    assertThat(policy(allow("\"dynamodb:Get*\"", "arn:?", "")).allows(GET)).isTrue();
    assertThat(policy(allow("[\"x:Y\",\"DynamoDB:getitem\"]", "*", "")).allows(GET)).isTrue();
    assertThat(policy(allow("\"dynamodb:Put*\"", "*", "")).allows(GET)).isFalse();
    assertThat(policy(allow("\"*\"", "arn:t/index/*", "")).allows(GET)).isFalse();
    assertThat(policy(allow("\"*\"", "arn:T", "")).allows(GET)).isFalse();
  }

  @Test
  void allows_denied_isDeniedWhateverElseIsAllowed() throws Exception {
    String deny = allow("\"dynamodb:GetItem\"", "*", "").replace("Allow", "Deny");

    assertThat(policy(allow("\"*\"", "*", ""), deny).allows(GET)).isFalse();
    assertThat(policy(allow("\"*\"", "*", ""), deny).allows(ApiCall.of("s3:GetObject", "x")))
        .isTrue();
  }

  @Test
  void allows_leadingKeys_allMustMatch() throws Exception {
    Policy like = policy(allow("\"*\"", "*", leading("ForAllValues:StringLike", "[\"a/*\"]")));
    Policy equal =
        policy(allow("\"*\"", "*", leading("ForAllValues:StringEquals", "\"a/ENTITY#1\"")));

    assertThat(like.allows(GET)).isTrue();
    assertThat(equal.allows(GET)).isTrue();
    assertThat(like.allows(new ApiCall("x:Y", "r", List.of("a/1", "b/1")))).isFalse();
    assertThat(equal.allows(new ApiCall("x:Y", "r", List.of("a/ENTITY#2")))).isFalse();
    assertThat(like.allows(ApiCall.of("dynamodb:Scan", "r"))).as("names no key").isTrue();
  }

  @Test
  void allows_nullCondition_asksThatThereAreKeys() throws Exception {
    Policy policy = policy(allow("\"*\"", "*", leading("Null", "\"false\"")));

    assertThat(policy.allows(GET)).isTrue();
    assertThat(policy.allows(ApiCall.of("dynamodb:Scan", "r"))).isFalse();
  }

  @Test
  void allows_tagOfThePrincipal_standsForItself() throws Exception {
    Policy policy =
        policy(
            allow(
                "\"*\"",
                "*",
                leading("ForAllValues:StringLike", "\"${aws:PrincipalTag/team}/*\"")));

    assertThat(policy.allows(GET, Map.of("team", "a"))).isTrue();
    assertThat(policy.allows(GET, Map.of("team", "b"))).isFalse();
    assertThat(policy.allows(GET, Map.of("other", "a"))).isFalse();
  }

  @Test
  void allows_unknownCondition_isNotJudged() throws Exception {
    Policy policy = policy(allow("\"*\"", "*", leading("IpAddress", "\"1.2.3.4\"")));

    assertThatThrownBy(() -> policy.allows(GET)).hasMessageContaining("IpAddress");
  }

  @Test
  void without_anAction_deniesIt() throws Exception {
    Policy policy = policy(allow("[\"dynamodb:GetItem\",\"dynamodb:PutItem\"]", "*", ""));

    assertThat(policy.actions()).containsExactly("S dynamodb:GetItem", "S dynamodb:PutItem");
    assertThat(policy.without("S dynamodb:GetItem").allows(GET)).isFalse();
    assertThat(policy.without("S dynamodb:PutItem").allows(GET)).isTrue();
  }
}
