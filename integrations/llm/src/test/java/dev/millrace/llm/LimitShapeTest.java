package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LimitShapeTest {
  private static final LlmUsage USAGE = LlmUsage.of(1_000, 50).withCached(700).withCacheWrites(200);

  @Test
  void openAi_countsEveryTokenAlike() {
    assertThat(ProviderPreset.openAi(60, 1_000, 500, 9_000).shape().amounts(USAGE))
        .containsEntry("rpm", 1L)
        .containsEntry("tpm", 1_050L)
        .containsEntry("rpd", 1L)
        .containsEntry("tpd", 1_050L);
  }

  @Test
  void anthropic_doesNotCountWhatIsReadFromTheCache() {
    assertThat(ProviderPreset.anthropic(50, 1_000, 100).shape().amounts(USAGE))
        .containsEntry("rpm", 1L)
        .containsEntry("itpm", 300L)
        .containsEntry("otpm", 50L);
  }

  @Test
  void anthropic_withAWeight_countsATenthOfTheCache() {
    assertThat(ProviderPreset.anthropic(50, 1_000, 100, 100).shape().amounts(USAGE))
        .containsEntry("itpm", 370L);
  }

  @Test
  void gemini_limitsInputOnly() {
    assertThat(ProviderPreset.gemini(10, 1_000, 100).shape().amounts(USAGE))
        .containsEntry("rpm", 1L)
        .containsEntry("rpd", 1L)
        .containsEntry("tpm", 1_000L);
  }

  @Test
  void bedrock_countsOutputFivefoldWhereItBurnsFaster() {
    assertThat(ProviderPreset.bedrock(10, 1_000).shape().amounts(USAGE)).containsEntry("tpm", 350L);
    assertThat(ProviderPreset.bedrockFivefoldOutput(10, 1_000).shape().amounts(USAGE))
        .containsEntry("tpm", 550L);
  }

  @Test
  void preset_heights_areTheLimits() {
    LimitSet limits = ProviderPreset.anthropic(50, 1_000, 100).limits();

    assertThat(limits)
        .containsExactlyInAnyOrder(
            Limit.perMinute("rpm", 50),
            Limit.perMinute("itpm", 1_000),
            Limit.perMinute("otpm", 100));
  }

  /** The law: the amount is the exact weighted sum, rounded up once. */
  @Test
  void amount_anyWeights_isTheExactSumRoundedUp() {
    Random random = new Random(20_261_116);
    for (int i = 0; i < 10_000; i++) {
      LimitCharge charge =
          new LimitCharge(
              "l",
              1 + random.nextInt(2_000),
              random.nextInt(2_000),
              random.nextInt(2_000),
              random.nextInt(2_000),
              random.nextInt((int) LimitCharge.MAX_WEIGHT));
      long cached = random.nextInt(10_000);
      long written = random.nextInt(10_000);
      LlmUsage usage =
          new LlmUsage(
              random.nextInt(5),
              cached + written + random.nextInt(1_000_000),
              cached,
              written,
              Math.floorMod(random.nextLong(), LlmUsage.MAX_TOKENS));

      BigDecimal exact =
          weighted(charge.requestMilli(), usage.requests())
              .add(weighted(charge.inputMilli(), usage.plainInputTokens()))
              .add(weighted(charge.cachedMilli(), usage.cachedTokens()))
              .add(weighted(charge.cacheWriteMilli(), usage.cacheWriteTokens()))
              .add(weighted(charge.outputMilli(), usage.outputTokens()));

      assertThat(charge.amount(usage))
          .as("%s for %s", charge, usage)
          .isEqualTo(exact.setScale(0, RoundingMode.CEILING).longValueExact());
    }
  }

  private static BigDecimal weighted(long weightMilli, long tokens) {
    return BigDecimal.valueOf(weightMilli, 3).multiply(BigDecimal.valueOf(tokens));
  }

  @Test
  void badShapes_areRefused() {
    assertThatThrownBy(() -> LimitShape.of(LimitCharge.requests("a"), LimitCharge.tokens("a")))
        .hasMessage("charges: limit 'a' given twice");
    assertThatThrownBy(LimitShape::of).hasMessage("charges: 0 given, must be from 1 to 16");
    assertThatThrownBy(() -> LimitCharge.tokens("a").withOutputMilli(-1))
        .hasMessage("limit 'a': outputMilli -1 must be from 0 to 1000000");
    assertThatThrownBy(() -> LimitCharge.output("a").withOutputMilli(0))
        .hasMessage("limit 'a': every weight is 0, at least one must not be");
    assertThatThrownBy(
            () ->
                new ProviderPreset(
                    LimitShape.of(LimitCharge.requests("rpm")),
                    LimitSet.of(Limit.perMinute("tpm", 5))))
        .hasMessage("limit 'rpm' is charged and not one of [tpm]");
  }
}
