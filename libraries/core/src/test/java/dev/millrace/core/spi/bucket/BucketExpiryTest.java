package dev.millrace.core.spi.bucket;

import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketExpiryTest {
  private static final long T_SECONDS = T / 1_000;
  private static final Limit DAILY = Limit.perDay("rpd", 100);

  @Test
  void expiresAtSeconds_fastLimit_isAnHour() {
    assertThat(expiry(T, holds(Limit.perSecond("rps", 10), 0))).isEqualTo(T_SECONDS + 3_600);
  }

  @Test
  void expiresAtSeconds_slowLimit_isSevenFills() {
    assertThat(expiry(T, holds(DAILY, 0))).isEqualTo(T_SECONDS + 7 * 86_400);
  }

  @Test
  void expiresAtSeconds_burst_countsTheFillToTheCeiling() {
    assertThat(expiry(T, holds(DAILY.withBurst(300), 0))).isEqualTo(T_SECONDS + 21 * 86_400);
  }

  @Test
  void expiresAtSeconds_balance_doesNotShortenLife() {
    assertThat(expiry(T, holds(DAILY, 100))).isEqualTo(expiry(T, holds(DAILY, 0)));
  }

  @Test
  void expiresAtSeconds_debt_countsWithIt() {
    assertThat(expiry(T, holds(DAILY, -50))).isEqualTo(T_SECONDS + 907_200); // 7 × 1.5 days
  }

  @Test
  void expiresAtSeconds_severalLimits_isTheLongest() {
    assertThat(expiry(T, holds(Limit.perSecond("rps", 10), 0), holds(DAILY, 0)))
        .isEqualTo(T_SECONDS + 7 * 86_400);
  }

  @Test
  void expiresAtSeconds_fractions_areRoundedUp() {
    Limit odd = Limit.custom("odd", 1, 7, Duration.ofHours(24)); // 12342857.14… ms to fill

    assertThat(expiry(T, holds(odd, 0))).isEqualTo(T_SECONDS + 86_401); // 7 × 12342.858 s
    assertThat(expiry(T + 1, holds(odd, 0))).isEqualTo(T_SECONDS + 86_402);
  }

  @Test
  void expiresAtSeconds_centuries_endWithTheYear9999() {
    Limit slow = Limit.custom("slow", Limit.MAX_TOKENS, 1, Limit.MAX_PERIOD);

    assertThat(expiry(T, holds(slow, 0))).isEqualTo(253_402_300_799L);
    assertThat(expiry(T, new LimitState(slow, Long.MIN_VALUE, 0))).isEqualTo(253_402_300_799L);
  }

  /** Forgetting must be the same as a new bucket: by then the old one would be full. */
  @Test
  void expiresAtSeconds_anyBalance_isFullByThen() {
    Laws.check(
        20_000,
        gen -> {
          long capacity = gen.scaled(1_000_000);
          Limit limit = new Limit("any", capacity, capacity + gen.scaled(1_000_000), gen.refill());
          LimitState state = new LimitState(limit, -gen.scaled(10_000_000), 0);
          long nowMs = Gen.EPOCH_MS + gen.stretchMs();
          long goneAtMs = expiry(nowMs, state) * 1_000;
          assertThat(goneAtMs - nowMs).isGreaterThanOrEqualTo(3_600_000);
          if (goneAtMs < 253_402_300_799_000L) {
            assertThat(state.balanceMilli(ShardShare.WHOLE, nowMs, goneAtMs))
                .isEqualTo(limit.burstMilli());
          }
        });
  }

  private static long expiry(long nowMs, LimitState... balances) {
    return BucketExpiry.expiresAtSeconds(nowMs, List.of(balances));
  }
}
