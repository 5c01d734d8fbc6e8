package dev.millrace.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.Seeds;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class RestTest {
  private static final int CASES = 5_000;

  @Test
  void of_everyNumberOneByOne_countsThoseWithTheRest() {
    for (int level = 1; level <= 8; level *= 2) {
      for (int shard = 0; shard < level; shard++) {
        long counted = 0;
        for (long milli = 0; milli < 40; milli++) {
          assertThat(new Rest(shard, level).of(milli)).isEqualTo(counted);
          counted += milli % level == shard ? 1 : 0;
        }
      }
    }
  }

  @Test
  void creditMilli_anyLimitAndTimes_countsWhatIsEarnedOneByOne() {
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          Refill refill = Refill.of(1 + random.nextLong(9), 1 + random.nextLong(9));
          Rate rate = Rate.of(refill);
          Rest rest = rest(random.nextInt(64), random.nextInt(7));
          long fromMs = Story.T + random.nextLong(1_000);
          long counted = 0;
          for (long atMs = fromMs; atMs < fromMs + 30; atMs++) {
            assertThat(rest.creditMilli(rate, fromMs, atMs)).isEqualTo(counted);
            long before = atMs * refill.amountMilli() / refill.periodMs();
            long after = (atMs + 1) * refill.amountMilli() / refill.periodMs();
            for (long number = before; number < after; number++) {
              counted += number % rest.level() == rest.shard() ? 1 : 0;
            }
          }
        });
  }

  /** The one of production is another formula. */
  @Test
  void creditMilli_anyLimit_isWhatTheShareEarns() {
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          Limit limit = Gen.limit(random);
          Rest rest = rest(random.nextInt(64), random.nextInt(7));
          long fromMs = Gen.timeMs(random);
          long toMs = fromMs + Gen.stepMs(random);
          long milli = rest.creditMilli(Rate.of(limit.refill()), fromMs, toMs);
          if (milli < Rate.MOST_MILLI / rest.level()) {
            assertThat(milli)
                .isEqualTo(
                    ShardShare.of(rest.shard(), rest.level())
                        .creditMilli(limit.refill(), fromMs, toMs));
          }
          assertThat(rest.of(limit.burstMilli()))
              .isEqualTo(ShardShare.of(rest.shard(), rest.level()).partOf(limit.burstMilli()));
        });
  }

  @Test
  void earnedAtMs_anyLimit_isTheFirstMillisecondThatSuffices() {
    Seeds.forEach(
        CASES,
        (random, seed) -> {
          Rate rate = Rate.of(Refill.of(1 + random.nextLong(99), 1 + random.nextLong(99)));
          Rest rest = rest(random.nextInt(64), random.nextInt(7));
          long fromMs = Story.T + random.nextLong(1_000);
          long milli = 1 + random.nextLong(50);
          long atMs = rest.earnedAtMs(rate, fromMs, BigInteger.valueOf(milli)).longValueExact();
          assertThat(rest.creditMilli(rate, fromMs, atMs)).isGreaterThanOrEqualTo(milli);
          assertThat(rest.creditMilli(rate, fromMs, atMs - 1)).isLessThan(milli);
        });
  }

  private static Rest rest(int shard, int doublings) {
    int level = 1 << doublings;
    return new Rest(shard % level, level);
  }
}
