package dev.millrace.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.millrace.AcquireRequest;
import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Consistency;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import dev.millrace.core.spi.plan.PlanSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The edges that are still allowed. */
class GoodInputTest {
  @ParameterizedTest
  @ValueSource(strings = {"a", "7", "key-42", "user@example.com", "org:team.a_b", "WCU"})
  void requireEntityId_allowed_isReturned(String value) {
    assertThat(NameRules.requireEntityId(value)).isSameAs(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "gpt-4", "openai/gpt-4.1_mini", "Z9"})
  void requireResource_allowed_isReturned(String value) {
    assertThat(NameRules.requireResource(value)).isSameAs(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rpm", "tokens-in", "a.b", "Wcu", "wcu2", "ttl", "resource"})
  void requireLimitName_allowed_isReturned(String value) {
    assertThat(NameRules.requireLimitName(value)).isSameAs(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "7f3", "prod-eu_1"})
  void requireNamespace_allowed_isReturned(String value) {
    assertThat(NameRules.requireNamespace(value)).isSameAs(value);
  }

  @Test
  void names_longestAllowed_areReturned() {
    assertThat(NameRules.requireEntityId("a".repeat(256))).hasSize(256);
    assertThat(NameRules.requireResource("a".repeat(64))).hasSize(64);
    assertThat(NameRules.requireLimitName("a".repeat(64))).hasSize(64);
    assertThat(NameRules.requireNamespace("a".repeat(64))).hasSize(64);
    assertThat(new BucketKey("n", "e", "r", BucketKey.MAX_SHARDS - 1)).hasToString("n/e/r#65535");
  }

  @Test
  void limit_extremes_areAllowed() {
    assertThat(Limit.perSecond("rps", Limit.MAX_TOKENS).capacityMilli())
        .isEqualTo(1_000_000_000_000_000_000L);
    assertThat(Limit.custom("slow", 1, 1, Limit.MAX_PERIOD).timeToFillMs())
        .isEqualTo(Duration.ofDays(366).toMillis());
    assertThat(Limit.custom("fast", 1, 1, Duration.ofMillis(1)).timeToFillMs()).isEqualTo(1);
    assertThat(Limit.perMinute("rpm", 10).withBurst(10)).isEqualTo(Limit.perMinute("rpm", 10));
  }

  @Test
  void limitSet_anyOrder_isTheSameSet() {
    Limit a = Limit.perMinute("a", 1);
    Limit b = Limit.perMinute("b", 1);

    assertThat(LimitSet.of(b, a)).isEqualTo(LimitSet.of(a, b)).hasSameHashCodeAs(LimitSet.of(a, b));
    assertThat(LimitSet.of(b, a)).containsExactly(a, b).hasToString("[a:1/min, b:1/min]");
    assertThat(LimitSet.of(b, a).names()).containsExactly("a", "b");
    assertThat(LimitSet.of(b, a).indexOf("b")).isEqualTo(1);
    assertThat(LimitSet.of(b, a).indexOf("c")).isEqualTo(-1);
    assertThat(LimitSet.of(a)).isNotEqualTo(LimitSet.of(b));
  }

  @Test
  void consume_zeroAndTheMost_areAllowed() {
    LimitSet limits = LimitSet.of(Limit.perMinute("rpm", 1), Limit.perMinute("tpm", 1));

    Amounts amounts =
        AcquireRequest.of("key-42", "gpt-4")
            .limits(limits)
            .consume("tpm", Limit.MAX_TOKENS)
            .consume("rpm", 0)
            .requireAmounts();

    assertThat(amounts.isNamed(0)).isTrue();
    assertThat(amounts.milli(0)).isZero();
    assertThat(amounts.milli(1)).isEqualTo(1_000_000_000_000_000_000L);
    assertThat(amounts).hasToString("rpm=0, tpm=1000000000000000");
  }

  @Test
  void consume_onASharedRequest_leavesItAlone() {
    AcquireRequest shared = AcquireRequest.of("key-42", "gpt-4").consume("rpm", 1);
    AcquireRequest refined = shared.consume("tpm", 5);

    assertThat(shared.tokens()).containsOnlyKeys("rpm");
    assertThat(refined.tokens()).containsOnlyKeys("rpm", "tpm");
    assertThat(refined).hasToString("key-42/gpt-4 {rpm=1, tpm=5}");
  }

  @Test
  void preferences_severalSet_areKeptTogether() {
    AcquireRequest plain = AcquireRequest.of("key-42", "gpt-4").consume("rpm", 1);
    AcquireRequest picky =
        plain
            .onUnavailable(OnUnavailable.ALLOW)
            .prefetch(true)
            .settlement(Settlement.DEFERRED)
            .consistency(Consistency.TRANSACTIONAL)
            .consume("tpm", 1);

    assertThat(plain.preferences())
        .isEqualTo(new AcquireRequest.Preferences(null, null, null, null));
    assertThat(picky.preferences())
        .isEqualTo(
            new AcquireRequest.Preferences(
                OnUnavailable.ALLOW, true, Settlement.DEFERRED, Consistency.TRANSACTIONAL));
  }

  @Test
  void keyIn_severalNamespaces_isTheKeyOfEach() {
    AcquireRequest request = AcquireRequest.of("key-42", "gpt-4");

    assertThat(request.keyIn("a")).isEqualTo(BucketKey.first("a", "key-42", "gpt-4"));
    assertThat(request.keyIn("b")).isEqualTo(BucketKey.first("b", "key-42", "gpt-4"));
    assertThat(request.keyIn("b")).isSameAs(request.keyIn("b"));
  }

  @Test
  void planSettings_rangeEnds_areAllowed() {
    assertThatCode(() -> new PlanSettings(1, 1)).doesNotThrowAnyException();
    assertThatCode(() -> new PlanSettings(10_000, 3_600_000)).doesNotThrowAnyException();
    assertThat(PlanSettings.DEFAULT).isEqualTo(new PlanSettings(100, 10_000));
  }

  @Test
  void planSettings_grain_isDividedWithoutRest() {
    assertThat(PlanSettings.DEFAULT.consumeWindowMs()).isEqualTo(80);
    assertThat(PlanSettings.DEFAULT.prefetchWindowMs()).isEqualTo(20);
    assertThat(new PlanSettings(1, 1).consumeWindowMs()).isEqualTo(1);
    assertThat(new PlanSettings(1, 1).prefetchWindowMs()).isZero();
    assertThat(new PlanSettings(9, 1).consumeWindowMs()).isEqualTo(7);
    assertThat(new PlanSettings(9, 1).prefetchWindowMs()).isEqualTo(2);
  }
}
