package dev.millrace.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.expression.spel.support.StandardEvaluationContext;

class ChargeExpressionTest {
  private static final String[] NONE = {};

  private static String[] all(String... texts) {
    return texts;
  }

  private static StandardEvaluationContext context() {
    StandardEvaluationContext context = new StandardEvaluationContext();
    context.setVariables(Map.of("key", "ann", "prompt", "0123456789"));
    return context;
  }

  private static ChargeExpression of(String entity, String resource, String limit, String consume) {
    return ChargeExpression.of(
        "rule",
        entity,
        resource,
        limit.isEmpty() ? NONE : all(limit),
        consume.isEmpty() ? NONE : all(consume),
        NONE);
  }

  @Test
  void request_namesAndExpressions_areEvaluated() {
    ChargeExpression charge =
        ChargeExpression.of(
            "rule",
            "'team-' + #key",
            "gpt-4",
            all("rpm:10/min", "tpm:100/min"),
            all("rpm", "tpm = #prompt.length() / 4.0"),
            NONE);

    AcquireRequest request = charge.request(charge.entity().in(context()) + "", context());

    assertThat(request).hasToString("team-ann/gpt-4 {rpm=1, tpm=3}"); // 2.5, rounded up
    assertThat(charge.resource().literal()).isEqualTo("gpt-4");
    assertThat(charge.entity().literal()).isNull();
  }

  @Test
  void request_limitsAlone_consumesOneOfEach() {
    ChargeExpression charge =
        ChargeExpression.of("rule", "ann", "api", all("rpm:10/min", "rpd:100/day"), NONE, NONE);

    assertThat(charge.request("ann", context())).hasToString("ann/api {rpd=1, rpm=1}");
    assertThat(charge.described())
        .containsEntry("entity", "ann")
        .containsEntry("consume", List.of("rpd", "rpm"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "#key | a b | rpm:1 | \"\" | rule resource 'a b' is neither a name nor an expression",
        "#key | api | \"\" | \"\" | rule says neither limits nor consume",
        "#key | api | rpm | \"\" | rule limits: limit 'rpm' is not of the form",
        "#key | api | rpm:1 | tpm | rule consume 'tpm' is none of the limits [rpm:1/min]",
        "#key | api | \"\" | tpm=( | rule consume '(' is neither a name nor an expression",
        "#key | api | \"\" | 9=1 | rule consume '9=1' is not of the form limit=expression",
        "#key[ | api | rpm:1 | \"\" | rule entity '#key[' is neither a name nor an expression",
      })
  void of_aMistake_namesFieldValueAndRule(
      String entity, String resource, String limit, String consume, String message) {
    assertThatThrownBy(() -> of(entity, resource, limit, consume))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void of_settlingWhatIsNotConsumed_isRefused() {
    assertThatThrownBy(
            () -> ChargeExpression.of("rule", "ann", "api", NONE, all("rpm"), all("tpm=#result")))
        .hasMessage("rule settle 'tpm=#result': the limit must be consumed too, with 0 if need be");
    assertThatThrownBy(
            () -> ChargeExpression.of("rule", "ann", "api", NONE, all("rpm", "rpm=2"), NONE))
        .hasMessage("rule consume 'rpm=2': limit 'rpm' is named twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tpm=-1 | 'tpm=-1' is -1, must be a number from 0 to 1000000000000000",
        "tpm=#missing | 'tpm=#missing' is null, must be a number from 0 to 1000000000000000",
        "tpm='many' | 'tpm='many'' is many, must be a number from 0 to 1000000000000000",
      })
  void amount_thatIsNone_isRefused(String written, String message) {
    assertThatThrownBy(() -> ChargeExpression.Amount.of("rule consume", written).in(context()))
        .hasMessage(message);
  }

  @Test
  void amount_textThatIsANumber_isThat() {
    assertThat(ChargeExpression.Amount.of("rule consume", "tpm='17'").in(context())).isEqualTo(17);
    assertThat(ChargeExpression.Amount.of("rule consume", "tpm=5000000000L").in(context()))
        .isEqualTo(5_000_000_000L);
  }
}
