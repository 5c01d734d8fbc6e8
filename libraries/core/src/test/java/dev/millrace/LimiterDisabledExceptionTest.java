package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimiterDisabledExceptionTest {
  @Test
  void new_disabled_saysWhoAndWhatToDo() {
    LimiterDisabledException thrown =
        new LimiterDisabledException(new DisabledBucket("team", "gpt-4"));

    assertThat(thrown.summary()).isEqualTo("switched off");
    assertThat(thrown.attributes())
        .containsEntry("entity", "team")
        .containsEntry("resource", "gpt-4")
        .containsKey("todo");
    assertThat(thrown.disabled()).isEqualTo(new DisabledBucket("team", "gpt-4"));
    assertThat(thrown.getStackTrace()).isEmpty();
  }
}
