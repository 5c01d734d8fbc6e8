package dev.millrace.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FunctionSettingsTest {
  @Test
  void fromEnvironment_leastThatIsNeeded_restHasDefaults() {
    FunctionSettings settings =
        FunctionSettings.fromEnvironment(
            Map.of("MILLRACE_TABLE", "limits", "MILLRACE_DEAD_LETTERS", "s3://b/p"));
    assertThat(settings)
        .isEqualTo(new FunctionSettings("limits", "s3://b/p", null, "", true, null));
  }

  @Test
  void fromEnvironment_switches_areOnOrOff() {
    FunctionSettings settings =
        FunctionSettings.fromEnvironment(
            Map.of(
                "MILLRACE_TABLE", "limits",
                "MILLRACE_DEAD_LETTERS", "s3://b/p",
                "MILLRACE_GROWTH", "off"));
    assertThat(settings.growth()).isFalse();
  }

  @Test
  void fromEnvironment_somethingMissingOrWrong_saysWhat() {
    assertThatThrownBy(() -> FunctionSettings.fromEnvironment(Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the environment variable MILLRACE_TABLE is not set");
    assertThatThrownBy(
            () ->
                FunctionSettings.fromEnvironment(
                    Map.of(
                        "MILLRACE_TABLE", "limits",
                        "MILLRACE_DEAD_LETTERS", "s3://b/p",
                        "MILLRACE_GROWTH", "maybe")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("MILLRACE_GROWTH 'maybe' must be on or off");
  }
}
