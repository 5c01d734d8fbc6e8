package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.testkit.internal.generator.Seeds;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GlobalLimitTest {
  private static final int LEAST = 10_000;

  @Test
  void part_ofAShare_scalesEverythingButThePeriod() {
    GlobalLimit global = GlobalLimit.of(Limit.perMinute("rpm", 100).withBurst(150), LEAST);
    assertThat(global.part(333_333))
        .contains(new Limit("rpm", 33_333, 49_999, Refill.of(33_333, 60_000)));
    assertThat(global.part(Ppm.WHOLE)).contains(global.whole());
    assertThat(global.part(0)).isEmpty();
    assertThat(global.part(9)).as("0.9 millitokens").isEmpty();
    assertThat(global.grainMilli()).isEqualTo(1);
  }

  @Test
  void of_tooSmallToBeShared_isRefusedWithFieldValueAndRule() {
    Limit small = new Limit("jobs", 99, 99, Refill.of(99, 60_000));
    assertThatThrownBy(() -> GlobalLimit.of(small, LEAST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "limit 'jobs': capacity 0.099 is too small to be shared: "
                + "10000 ppm of it, which each region keeps, must be at least 0.001");
    Limit slow = new Limit("jobs", 100, 100, Refill.of(99, 60_000));
    assertThatThrownBy(() -> GlobalLimit.of(slow, LEAST))
        .hasMessageContaining("refill amount 0.099");
    assertThat(GlobalLimit.of(new Limit("jobs", 100, 100, Refill.of(100, 60_000)), LEAST))
        .isNotNull();
  }

  @Test
  void part_ofHugeLimits_canAlwaysBeComputed() {
    for (Limit huge :
        new Limit[] {
          Limit.perDay("tpd", 1_000_000_000_000L),
          Limit.custom("year", Limit.MAX_TOKENS, Limit.MAX_TOKENS, Duration.ofDays(365)),
          Limit.perSecond("tps", Limit.MAX_TOKENS)
        }) {
      GlobalLimit global = GlobalLimit.of(huge, LEAST);
      Seeds.forEach(
          300,
          (random, seed) -> {
            int ppm = random.nextInt(1, Ppm.WHOLE + 1);
            Optional<Limit> part = global.part(ppm);
            long exact = Ppm.partOf(huge.refill().amountMilli(), ppm);
            assertThat(part).isPresent();
            assertThat(part.orElseThrow().refill().amountMilli())
                .isBetween(exact - global.grainMilli() + 1, exact);
          });
    }
  }

  @Test
  void of_periodWithoutFactors_isRefusedRatherThanFailingLater() {
    // a prime number of milliseconds, about 115 days
    Limit odd =
        new Limit("odd", 1_000, 1_000, Refill.of(9_999_999_967L * 100_000_000L, 9_999_999_967L));
    assertThatThrownBy(() -> GlobalLimit.of(odd, LEAST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot be divided among regions");
  }

  @Test
  void tokensWith_aGift_isInProportionAndNeverADebt() {
    GlobalLimit global = GlobalLimit.of(Limit.perMinute("rpm", 100), LEAST);
    assertThat(global.tokensWith(100_000, 400_000, 20_001)).isEqualTo(5_000);
    assertThat(global.tokensWith(400_000, 400_000, 20_001)).isEqualTo(20_000);
    assertThat(global.tokensWith(100_000, 400_000, -5)).isZero();
    assertThat(global.tokensWith(100_000, 100_000, 90_000))
        .as("the ceiling of it")
        .isEqualTo(10_000);
  }
}
