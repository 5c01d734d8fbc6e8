package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelTokenCounterTest {
  private static final ModelTokenCounter COUNTER = new ModelTokenCounter();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpt-4o",
        "gpt-4o-mini-2024-07-18",
        "openai/gpt-5",
        "o3-mini",
        "GPT-4",
        "gpt-35-turbo"
      })
  void knownModel_isCountedWithItsVocabulary(String model) {
    assertThat(COUNTER.isExact(model)).isTrue();
    assertThat(COUNTER.count(model, "hello world")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"'',0", "a,1", "abcd,1", "abcde,2", "hello world,3"})
  void unknownModel_isFourCharactersAToken(String text, long tokens) {
    assertThat(COUNTER.isExact("claude-sonnet-4")).isFalse();
    assertThat(COUNTER.count("claude-sonnet-4", text)).isEqualTo(tokens);
  }

  @Test
  void vocabularies_differ() {
    String text = "ein Mühlrad dreht sich, голова, 水車";

    assertThat(COUNTER.count("gpt-4o", text)).isLessThan(COUNTER.count("gpt-4", text));
  }

  @Test
  void specialTokens_areText() {
    assertThat(COUNTER.count("gpt-4o", "<|endoftext|>")).isGreaterThan(1);
  }

  @Test
  void longText_isCountedTheSameAgain() {
    String text = "the wheel turns slowly ".repeat(20);
    long first = COUNTER.count("gpt-4o", text);

    assertThat(COUNTER.count("gpt-4o", new String(text.toCharArray()))).isEqualTo(first);
    assertThat(first).isBetween(80L, 101L);
  }

  @Test
  void hugeText_isCountedInProportion() {
    String million = "wheel ".repeat(ModelTokenCounter.MAX_COUNTED_CHARS / 6 + 1);
    long tokens =
        COUNTER.count("gpt-4o", million.substring(0, ModelTokenCounter.MAX_COUNTED_CHARS));

    assertThat(COUNTER.count("gpt-4o", million + million))
        .isCloseTo(2 * tokens, withinATenth(tokens));
  }

  private static org.assertj.core.data.Offset<Long> withinATenth(long tokens) {
    return org.assertj.core.api.Assertions.within(tokens / 10);
  }
}
