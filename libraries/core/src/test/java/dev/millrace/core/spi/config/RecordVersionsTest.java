package dev.millrace.core.spi.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordVersionsTest {
  /** Few values, so that versions are often equal, ordered and incomparable. */
  static RecordVersions random(Gen gen) {
    return new RecordVersions(
        gen.between(0, 2),
        gen.between(0, 2),
        gen.between(0, 1),
        gen.between(0, 1),
        gen.between(0, 2));
  }

  @Test
  void isAtLeast_any_isAPartialOrder() {
    int[] incomparable = new int[1];
    int ran =
        Laws.check(
            20_000,
            gen -> {
              RecordVersions a = random(gen);
              RecordVersions b = random(gen);
              RecordVersions c = random(gen);
              assertThat(a.isAtLeast(a)).as("reflexive").isTrue();
              if (a.isAtLeast(b) && b.isAtLeast(a)) {
                assertThat(a).as("antisymmetric").isEqualTo(b);
              }
              if (a.isAtLeast(b) && b.isAtLeast(c)) {
                assertThat(a.isAtLeast(c)).as("transitive").isTrue();
              }
              incomparable[0] += a.isAtLeast(b) || b.isAtLeast(a) ? 0 : 1;
            });
    if (ran == 20_000) {
      assertThat(incomparable[0]).as("cases that a sum would order").isGreaterThan(4_000);
    }
  }

  @Test
  void isAtLeast_oneRecordIsOlder_isFalseHoweverNewTheOthersAre() {
    RecordVersions one = new RecordVersions(2, 2, 2, 2, 2);
    for (RecordVersions older :
        List.of(
            new RecordVersions(1, 99, 99, 99, 99),
            new RecordVersions(99, 1, 99, 99, 99),
            new RecordVersions(99, 99, 1, 99, 99),
            new RecordVersions(99, 99, 99, 1, 99),
            new RecordVersions(99, 99, 99, 99, 1))) {
      assertThat(older.isAtLeast(one)).as("%s", older).isFalse();
      assertThat(one.isAtLeast(older)).as("%s", older).isFalse();
    }
  }

  @Test
  void latest_any_isTheLeastThatIsAtLeastBoth() {
    Laws.check(
        20_000,
        gen -> {
          RecordVersions a = random(gen);
          RecordVersions b = random(gen);
          RecordVersions bound = random(gen);
          RecordVersions latest = a.latest(b);
          assertThat(latest.isAtLeast(a) && latest.isAtLeast(b)).isTrue();
          assertThat(b.latest(a)).isEqualTo(latest);
          if (bound.isAtLeast(a) && bound.isAtLeast(b)) {
            assertThat(bound.isAtLeast(latest)).isTrue();
          }
        });
  }

  @Test
  void of_eachLevel_isThatRecordAlone() {
    RecordVersions all =
        RecordVersions.of(ConfigLevel.ENTITY_RESOURCE, 1)
            .latest(RecordVersions.of(ConfigLevel.ENTITY, 2))
            .latest(RecordVersions.of(ConfigLevel.RESOURCE, 3))
            .latest(RecordVersions.of(ConfigLevel.SYSTEM, 4))
            .latest(RecordVersions.of(ConfigLevel.CALL, 5));
    assertThat(all).isEqualTo(new RecordVersions(0, 1, 2, 3, 4));
    assertThat(all).hasToString("0.1.2.3.4");
  }
}
