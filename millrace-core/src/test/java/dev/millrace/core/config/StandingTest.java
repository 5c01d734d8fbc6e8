package dev.millrace.core.config;

import static dev.millrace.core.config.ConfigLevel.CALL;
import static dev.millrace.core.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import org.junit.jupiter.api.Test;

class StandingTest {
  @Test
  void over_olderBucket_isTheNewerOne() {
    assertThat(on(RESOURCE, 5).over(Standing.CALL)).isEqualTo(on(RESOURCE, 5));
    assertThat(on(RESOURCE, 5).over(off(RESOURCE, 4))).isEqualTo(on(RESOURCE, 5));
    assertThat(off(CALL, 5).over(on(ENTITY_RESOURCE, 4))).isEqualTo(off(CALL, 5));
  }

  @Test
  void over_laterBucket_isLeftAlone() {
    assertThat(on(RESOURCE, 5).over(off(ENTITY_RESOURCE, 6))).isEqualTo(off(ENTITY_RESOURCE, 6));
  }

  /** Limits of a call are imposed at the same version; the switch cannot differ honestly. */
  @Test
  void over_sameVersion_takesTheLevelAndLeavesTheSwitch() {
    assertThat(on(CALL, 5).over(on(RESOURCE, 5))).isEqualTo(on(CALL, 5));
    assertThat(on(CALL, 5).over(off(RESOURCE, 5))).isEqualTo(off(CALL, 5));
    assertThat(off(CALL, 5).over(on(RESOURCE, 5))).isEqualTo(on(CALL, 5));
  }

  @Test
  void over_any_isIdempotentAndNeverTakesTheVersionBack() {
    Laws.check(
        10_000,
        gen -> {
          Standing known = random(gen);
          Standing stored = random(gen);
          Standing after = known.over(stored);
          assertThat(known.over(after)).isEqualTo(after);
          assertThat(after.version()).isEqualTo(Math.max(known.version(), stored.version()));
          assertThat(known.over(known)).isSameAs(known);
        });
  }

  @Test
  void expires_onlyLimitsOfOneEntityAndResource_stay() {
    for (ConfigLevel level : ConfigLevel.values()) {
      assertThat(on(level, 1).expires()).isEqualTo(level != ENTITY_RESOURCE);
    }
  }

  @Test
  void new_negativeVersion_isRefused() {
    assertThatThrownBy(() -> on(CALL, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("version -1 must not be negative");
  }

  private static Standing random(Gen gen) {
    return new Standing(gen.pick(ConfigLevel.values()), gen.between(0, 3), gen.oneIn(2));
  }
}
