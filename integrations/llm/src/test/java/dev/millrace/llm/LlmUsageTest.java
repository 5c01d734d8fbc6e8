package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LlmUsageTest {
  @Test
  void plainInput_isWhatNoCacheTouched() {
    LlmUsage usage = LlmUsage.of(100, 7).withCached(60).withCacheWrites(30);

    assertThat(usage.plainInputTokens()).isEqualTo(10);
    assertThat(usage.requests()).isEqualTo(1);
  }

  @Test
  void negativePart_isRefusedByName() {
    assertThatThrownBy(() -> LlmUsage.of(1, -2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("outputTokens -2 must be from 0 to 100000000000");
  }

  @Test
  void moreCachedThanInput_isRefused() {
    assertThatThrownBy(() -> LlmUsage.of(10, 0).withCached(6).withCacheWrites(5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cachedTokens 6 and cacheWriteTokens 5")
        .hasMessageContaining("must not exceed its 10");
  }

  @Test
  void call_withoutAResource_isCalledLikeItsModel() {
    LlmCall call = LlmCall.chat("acme", "gpt-4o").message("hi").maxOutputTokens(5).build();

    assertThat(call.resource()).isEqualTo("gpt-4o");
    assertThat(call.maxOutputTokens()).isEqualTo(5);
    assertThat(LlmCall.chat("acme", "gpt-4o").resource("llm").build().resource()).isEqualTo("llm");
  }

  @Test
  void call_badNames_areRefused() {
    assertThatThrownBy(() -> LlmCall.chat("a#b", "gpt-4o").build())
        .hasMessageContaining("entityId");
    assertThatThrownBy(() -> LlmCall.chat("acme", "model:0").build())
        .hasMessageContaining("resource");
    assertThatThrownBy(() -> LlmCall.chat("acme", "gpt-4o").maxOutputTokens(-1).build())
        .hasMessage("maxOutputTokens -1 must be from 0 to 100000000000");
  }
}
