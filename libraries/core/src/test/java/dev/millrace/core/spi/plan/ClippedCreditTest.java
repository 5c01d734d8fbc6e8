package dev.millrace.core.spi.plan;

import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureStore;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The bound of P2 at the ceiling. A claim that fills a bucket is reckoned from the balance that its
 * writer saw; others may have taken from it since, without moving the timestamp.
 */
class ClippedCreditTest {
  private static final int CASES = 30_000;
  private static final Limit OTHER = Limit.perMinute("rpm", 1_000_000);

  /**
   * A claim of a limit, and what others did meanwhile.
   *
   * @param readMilli the balance that the writer saw
   * @param earnedMilli credit of the time that it claims
   * @param metMilli the balance that it meets
   * @param plan what it sends; another limit is named in any case
   */
  private record Claim(
      Limit limit, long readMilli, long earnedMilli, long metMilli, WritePlan.Locked plan) {
    static Claim random(Gen gen, boolean contended) {
      long capacity = gen.between(1, 1_000);
      Limit hard =
          Limit.custom(
                  "tpm",
                  capacity,
                  gen.between(1, 1_000),
                  Duration.ofMillis(gen.between(1, 100_000)))
              .withBurst(capacity + gen.between(0, 1_000));
      Limit limit = gen.oneIn(3) ? hard.asSoft() : hard;
      long readMilli = gen.between(0, limit.burstMilli());
      long tookMilli = gen.oneIn(3) ? 0 : gen.scaled(2 * limit.burstMilli());
      long elapsedMs = gen.scaled(200_000);
      LimitSet limits = LimitSet.of(limit, OTHER);
      BucketView view =
          BucketView.of(
              state(limit, readMilli), limits, T + elapsedMs, PlanSettings.DEFAULT.maxSkewMs());
      long takenMilli = gen.oneIn(3) ? 0 : gen.between(0, Math.max(0, readMilli));
      view.take(Amounts.ofMilli(limits, new long[] {takenMilli, 1_000}));
      return new Claim(
          limit,
          readMilli,
          limit.refill().creditMilli(T, T + elapsedMs),
          readMilli - tookMilli,
          WritePlanner.locked(view, contended, "op"));
    }

    private static BucketState state(Limit limit, long milli) {
      return bucket(T, new LimitState(limit, milli, 0), new LimitState(OTHER, 500_000_000, 0));
    }

    /** What was credited, null when the write was refused. */
    @Nullable Long creditedMilli() {
      if (PureStore.execute(state(limit, metMilli), plan) instanceof StoreReply.Applied applied) {
        LimitState after = Objects.requireNonNull(applied.state().find(limit.name()));
        return after.tokensMilli() + after.consumedMilli() - metMilli;
      }
      return null;
    }

    /** What a claim would have credited that had seen the balance which it met. */
    long exactMilli() {
      return Math.min(earnedMilli, limit.burstMilli() - metMilli);
    }

    /** What was cut off for the balance that the writer saw. */
    long cutMilli() {
      return Math.max(0, earnedMilli - (limit.burstMilli() - readMilli));
    }

    long tookMilli() {
      return readMilli - metMilli;
    }
  }

  @Test
  void locked_alone_creditsExactlyOrIsRefused() {
    int[] applied = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              Claim claim = Claim.random(gen, /* contended= */ false);
              Long creditedMilli = claim.creditedMilli();
              if (creditedMilli != null) {
                applied[0]++;
                assertThat(creditedMilli).isEqualTo(claim.exactMilli());
              }
            });
    if (ran == CASES) {
      assertThat(applied[0]).isBetween(CASES / 10, CASES * 9 / 10);
    }
  }

  @Test
  void locked_othersWriteToo_givesUpNoMoreThanTheyTookNorThanWasCut() {
    int[] gaveUp = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              Claim claim = Claim.random(gen, /* contended= */ true);
              Long creditedMilli = claim.creditedMilli();
              if (creditedMilli != null) {
                long lostMilli = claim.exactMilli() - creditedMilli;
                gaveUp[0] += lostMilli > 0 ? 1 : 0;
                assertThat(lostMilli).isBetween(0L, Math.min(claim.tookMilli(), claim.cutMilli()));
              }
            });
    if (ran == CASES) {
      assertThat(gaveUp[0]).as("the bound is met at all").isGreaterThan(CASES / 20);
    }
  }
}
