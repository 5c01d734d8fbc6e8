package dev.millrace.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.testing.Laws;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class SaturatedMathTest {
  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  @Test
  void addSubtract_anyNumbers_equalTheExactResultCutAtTheEnds() {
    Laws.check(
        20_000,
        gen -> {
          long a = (gen.oneIn(2) ? 1 : -1) * gen.scaled(Long.MAX_VALUE);
          long b = (gen.oneIn(2) ? 1 : -1) * gen.scaled(Long.MAX_VALUE);
          BigInteger exactA = BigInteger.valueOf(a);
          BigInteger exactB = BigInteger.valueOf(b);
          assertThat(SaturatedMath.add(a, b)).isEqualTo(cut(exactA.add(exactB)));
          assertThat(SaturatedMath.subtract(a, b)).isEqualTo(cut(exactA.subtract(exactB)));
        });
  }

  @Test
  void multiplyCeilDivide_numbersNotNegative_equalTheExactResult() {
    Laws.check(
        20_000,
        gen -> {
          long a = gen.scaled(Long.MAX_VALUE) - 1;
          long b = gen.scaled(Long.MAX_VALUE);
          BigInteger exactA = BigInteger.valueOf(a);
          BigInteger exactB = BigInteger.valueOf(b);
          assertThat(SaturatedMath.multiply(a, b)).isEqualTo(cut(exactA.multiply(exactB)));
          assertThat(SaturatedMath.ceilDivide(a, b))
              .isEqualTo(
                  exactA.add(exactB).subtract(BigInteger.ONE).divide(exactB).longValueExact());
        });
  }

  @Test
  void ends_ofTheRange_stay() {
    assertThat(SaturatedMath.add(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(SaturatedMath.add(Long.MIN_VALUE, -1)).isEqualTo(Long.MIN_VALUE);
    assertThat(SaturatedMath.subtract(0, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(SaturatedMath.subtract(-1, Long.MIN_VALUE)).isEqualTo(Long.MAX_VALUE);
    assertThat(SaturatedMath.subtract(-2, Long.MAX_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(SaturatedMath.multiply(Long.MAX_VALUE, 1)).isEqualTo(Long.MAX_VALUE);
    assertThat(SaturatedMath.multiply(1L << 32, 1L << 31)).isEqualTo(Long.MAX_VALUE);
    assertThat(SaturatedMath.multiply(1L << 31, 1L << 31)).isEqualTo(1L << 62);
  }

  private static long cut(BigInteger exact) {
    return exact.max(MIN).min(MAX).longValueExact();
  }
}
