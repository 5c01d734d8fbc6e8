package dev.millrace.proving.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BurstCheckTest {
  /** One token a second, ten at once. */
  private static final Limit LIMIT = LimitNotation.parse("rps:1/sec:10");

  private static final long GRAIN_MS = 100;

  private final Admissions admissions = new Admissions();

  private BurstCheck.Worst worst() {
    return BurstCheck.of(admissions, LIMIT, GRAIN_MS);
  }

  @Test
  void of_nothing_hasTheBurstAsRoom() {
    assertThat(worst().excessMilli()).isEqualTo(-10_000);
  }

  @Test
  void of_burstAndWhatIsEarned_isWithin() {
    admissions.add(5_000, 5_000, 10_000);
    admissions.add(6_000, 6_000, 1_000);

    assertThat(worst().excessMilli()).isNegative();
  }

  @Test
  void of_oneTooMany_isBeyondByThatMuch() {
    admissions.add(5_000, 5_000, 10_000);
    admissions.add(6_000, 6_000, 2_000);

    // 12 less 10, one second, the grain, a millisecond that was cut off, and a millitoken
    assertThat(worst()).isEqualTo(new BurstCheck.Worst(2_000 - 1_000 - 100 - 1 - 1, 5_000, 6_001));
  }

  /** Where within its duration it was charged, nobody knows. */
  @Test
  void of_longOperation_countsOnlyForWholeIntervals() {
    admissions.add(0, 5_000, 10_000);
    admissions.add(5_000, 5_000, 2_000);

    assertThat(worst().excessMilli()).isNegative();
  }

  @Test
  void of_givenBackInBetween_mayBeAdmittedAgain() {
    admissions.add(5_000, 5_000, 10_000);
    admissions.add(5_001, 5_002, -10_000);
    admissions.add(5_003, 5_003, 10_000);

    assertThat(worst().excessMilli()).isNegative();
  }

  @Test
  void of_givenBackTooLate_isBeyond() {
    admissions.add(5_000, 5_000, 10_000);
    admissions.add(5_003, 5_003, 10_000);
    admissions.add(5_010, 5_011, -10_000);

    assertThat(worst().excessMilli()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void of_anything_isWhatTryingEveryIntervalFinds(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 60; i++) {
      long fromMs = random.nextLong(20_000);
      long milli = random.nextLong(-2_000, 4_000);
      admissions.add(fromMs, fromMs + random.nextLong(500), milli == 0 ? 1 : milli);
    }

    assertThat(worst().excessMilli()).isEqualTo(byTryingEveryInterval());
  }

  private long byTryingEveryInterval() {
    long worst = Long.MIN_VALUE;
    for (int first = 0; first < admissions.size(); first++) {
      for (int last = 0; last < admissions.size(); last++) {
        long fromMs = admissions.earliestMs(first);
        long toMs = admissions.latestMs(last) + 1;
        boolean isInterval =
            admissions.milli(first) > 0 && admissions.milli(last) > 0 && fromMs <= toMs;
        if (isInterval) {
          long allowedMilli = 10_000 + (toMs - fromMs) + GRAIN_MS + 1; // a millitoken a millisecond
          worst = Math.max(worst, admitted(fromMs, toMs) - allowedMilli);
        }
      }
    }
    return worst;
  }

  private long admitted(long fromMs, long toMs) {
    long sum = 0;
    for (int i = 0; i < admissions.size(); i++) {
      boolean inside = admissions.earliestMs(i) >= fromMs && admissions.latestMs(i) + 1 <= toMs;
      boolean touches = admissions.earliestMs(i) <= toMs && admissions.latestMs(i) + 1 >= fromMs;
      if (admissions.milli(i) > 0 ? inside : touches) {
        sum += admissions.milli(i);
      }
    }
    return sum;
  }
}
