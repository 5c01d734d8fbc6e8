package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.internal.generator.Seeds;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class PpmTest {
  private static final long GREATEST = 1_000_000_000_000_000_000L;

  @Test
  void partOf_anyAmountUpToTheGreatest_isTheExactFloor() {
    Seeds.forEach(
        2_000,
        (random, seed) -> {
          long amount = random.nextLong(GREATEST + 1) >> random.nextInt(60);
          long whole = random.nextLong(1, Ppm.WHOLE + 1);
          long part = random.nextLong(whole + 1);
          assertThat(Ppm.partOf(amount, part, whole))
              .isEqualTo(exact(amount, part, whole).longValueExact());
          assertThat(Ppm.partOf(amount, part))
              .isEqualTo(exact(amount, part, Ppm.WHOLE).longValueExact());
        });
    assertThat(Ppm.partOf(GREATEST, Ppm.WHOLE)).isEqualTo(GREATEST);
    assertThat(Ppm.partOf(999_999, 1)).isZero();
  }

  @Test
  void partOf_sharesThatSumToTheWhole_neverSumToMore() {
    Seeds.forEach(
        500,
        (random, seed) -> {
          long amount = random.nextLong(GREATEST + 1) >> random.nextInt(60);
          long left = Ppm.WHOLE;
          long sum = 0;
          for (int region = 0; region < 7; region++) {
            long share = random.nextLong(left + 1);
            left -= share;
            sum += Ppm.partOf(amount, share);
          }
          assertThat(sum + Ppm.partOf(amount, left)).isLessThanOrEqualTo(amount);
        });
  }

  @Test
  void ratio_amountsBeyond64BitsWhenScaled_areExactAndBounded() {
    assertThat(Ppm.ratio(GREATEST, GREATEST)).isEqualTo(Ppm.WHOLE);
    assertThat(Ppm.ratio(GREATEST / 3, GREATEST)).isEqualTo(333_333);
    assertThat(Ppm.ratio(GREATEST, 1)).isEqualTo(Ppm.MAX_RATIO);
    assertThat(Ppm.ratio(5, 2)).isEqualTo(2_500_000);
    assertThat(Ppm.ratio(-5, 2)).isZero();
  }

  private static BigInteger exact(long amount, long part, long whole) {
    return BigInteger.valueOf(amount)
        .multiply(BigInteger.valueOf(part))
        .divide(BigInteger.valueOf(whole));
  }
}
