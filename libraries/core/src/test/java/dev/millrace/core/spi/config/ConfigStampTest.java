package dev.millrace.core.spi.config;

import static dev.millrace.core.spi.config.ConfigLevel.CALL;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY;
import static dev.millrace.core.spi.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import org.junit.jupiter.api.Test;

class ConfigStampTest {
  @Test
  void over_olderBucket_isTheNewerOne() {
    assertThat(on(RESOURCE, 5).over(ConfigStamp.CALL)).isEqualTo(on(RESOURCE, 5));
    assertThat(on(RESOURCE, 5).over(off(RESOURCE, 4))).isEqualTo(on(RESOURCE, 5));
    assertThat(off(CALL, 5).over(on(ENTITY_RESOURCE, 4))).isEqualTo(off(CALL, 5));
  }

  @Test
  void over_laterBucket_isLeftAlone() {
    assertThat(on(RESOURCE, 5).over(off(ENTITY_RESOURCE, 6))).isEqualTo(off(ENTITY_RESOURCE, 6));
  }

  /** Limits of a call are imposed at the same versions; the switch cannot differ honestly. */
  @Test
  void over_sameVersions_takesTheLevelAndIsOffIfEitherIs() {
    assertThat(on(CALL, 5).over(on(RESOURCE, 5))).isEqualTo(on(CALL, 5));
    assertThat(on(CALL, 5).over(off(RESOURCE, 5))).isEqualTo(off(CALL, 5));
    assertThat(off(CALL, 5).over(on(RESOURCE, 5))).isEqualTo(off(CALL, 5));
  }

  @Test
  void over_newerInOneRecordAndOlderInAnother_leavesTheBucketAlone() {
    ConfigStamp stale = new ConfigStamp(ENTITY, new RecordVersions(1, 0, 1, 5, 5), false);
    ConfigStamp stored = new ConfigStamp(ENTITY, new RecordVersions(2, 0, 1, 3, 3), true);

    assertThat(stale.over(stored)).isEqualTo(stored);
    assertThat(stored.over(stale)).isEqualTo(stale);
  }

  @Test
  void over_any_isIdempotentAndTakesNoVersionBack() {
    Laws.check(
        10_000,
        gen -> {
          ConfigStamp known = random(gen);
          ConfigStamp stored = random(gen);
          ConfigStamp after = known.over(stored);
          assertThat(known.over(after)).isEqualTo(after);
          assertThat(after.isAtLeast(stored)).isTrue();
          assertThat(after.versions())
              .isEqualTo(known.isAtLeast(stored) ? known.versions() : stored.versions());
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
    assertThatThrownBy(() -> new RecordVersions(0, 7, -1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("versions must not be negative: 0.7.-1.0.0");
  }

  private static ConfigStamp random(Gen gen) {
    return new ConfigStamp(
        gen.pick(ConfigLevel.values()), RecordVersionsTest.random(gen), gen.oneIn(2));
  }
}
