package dev.millrace.core.spi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.ShardBooks;
import dev.millrace.core.testing.Shards;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds of all shards together, however they came to be and whatever they hold. */
class BucketViewOfShardsLawsTest {
  private static final int CASES = 3_000;

  /** Longer than any of them takes to fill. */
  private static final long NEVER_MS = 1L << 55;

  /** Shards of mixed levels, in debt, full, above their ceiling, or claimed a moment ahead. */
  private record Case(List<BucketState> shards, LimitSet limits, long nowMs, Amounts amounts) {
    static Case random(Gen gen) {
      LimitSet limits = gen.oneIn(2) ? LimitSet.of(limit(gen, "a")) : both(gen);
      long nowMs = gen.instantMs();
      List<BucketState> shards = new ArrayList<>();
      for (ShardShare share : Shards.random(gen, (int) gen.between(0, 12), 16)) {
        LimitState[] states = new LimitState[limits.size()];
        for (int i = 0; i < states.length; i++) {
          states[i] = balance(gen, limits.get(i), share);
        }
        long refilledAtMs = nowMs - (gen.oneIn(2) ? 0 : gen.between(-9_000, 60_000));
        shards.add(Shards.shard(share.shard(), share.level(), refilledAtMs, states));
      }
      long[] milli = new long[limits.size()];
      for (int i = 0; i < milli.length; i++) {
        milli[i] = gen.oneIn(6) ? 0 : gen.scaled(limits.get(i).burstMilli());
      }
      return new Case(shards, limits, nowMs, Amounts.ofMilli(limits, milli));
    }

    private static LimitSet both(Gen gen) {
      return LimitSet.of(
          limit(gen, "a"), gen.oneIn(4) ? limit(gen, "b").asSoft() : limit(gen, "b"));
    }

    private static Limit limit(Gen gen, String name) {
      long capacityMilli = gen.scaled(10_000_000);
      return new Limit(name, capacityMilli, capacityMilli + gen.between(0, 1_000), gen.refill());
    }

    private static LimitState balance(Gen gen, Limit limit, ShardShare share) {
      long ceilingMilli = share.partOf(limit.burstMilli());
      return new LimitState(
          limit,
          switch ((int) gen.between(0, 5)) {
            case 0 -> -gen.scaled(limit.burstMilli());
            case 1 -> ceilingMilli;
            case 2 -> ceilingMilli + gen.scaled(limit.burstMilli());
            default -> gen.between(0, ceilingMilli);
          },
          gen.scaled(1_000));
    }

    BucketView at(long ms) {
      return BucketView.ofShards(
          shards, EffectiveLimits.ofCall(limits), ms, PlanSettings.DEFAULT.maxSkewMs());
    }
  }

  @Test
  void balanceMilli_always_isTheSumAndAtMostTheBurst() {
    Laws.check(
        CASES,
        gen -> {
          Case it = Case.random(gen);
          for (int i = 0; i < it.limits().size(); i++) {
            Limit limit = it.limits().get(i);
            assertThat(it.at(it.nowMs()).balanceMilli(i))
                .isEqualTo(ShardBooks.claimedMilli(it.shards(), limit.name(), it.nowMs()))
                .isLessThanOrEqualTo(limit.burstMilli());
          }
        });
  }

  /** At that instant all of them hold it, and not a millisecond before. */
  @Test
  void statuses_retryAfter_isTheFirstMillisecondAtWhichTheWholeFits() {
    int[] refused = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              Case it = Case.random(gen);
              if (it.at(it.nowMs()).fits(it.amounts())) {
                return;
              }
              refused[0]++;
              long retryAfterMs =
                  new Rejection(it.at(it.nowMs()).statuses(it.amounts())).retryAfterMs();
              assertThat(retryAfterMs).isPositive();
              assertThat(it.at(it.nowMs() + retryAfterMs).fits(it.amounts())).isTrue();
              assertThat(it.at(it.nowMs() + retryAfterMs - 1).fits(it.amounts())).isFalse();
            });
    if (ran == CASES) {
      assertThat(refused[0]).as("both answers were met").isBetween(CASES / 20, CASES * 19 / 20);
    }
  }

  /** By then one of them holds it, and not a millisecond before; or none ever will. */
  @Test
  void untilOneFitsMs_always_isTheFirstMillisecondAtWhichOneFits() {
    int[] never = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              Case it = Case.random(gen);
              long waitMs = it.at(it.nowMs()).untilOneFitsMs(it.amounts());
              if (waitMs == LimitStatus.NEVER) {
                never[0]++;
                assertThat(it.at(it.nowMs() + NEVER_MS).fitsInOne(it.amounts())).isFalse();
              } else {
                assertThat(it.at(it.nowMs() + waitMs).fitsInOne(it.amounts())).isTrue();
                assertThat(waitMs == 0 || !it.at(it.nowMs() + waitMs - 1).fitsInOne(it.amounts()))
                    .isTrue();
              }
            });
    if (ran == CASES) {
      assertThat(never[0]).as("both answers were met").isBetween(CASES / 20, CASES * 19 / 20);
    }
  }

  @Test
  void choose_always_takesTheAmountsFromWhatTheShardsHold() {
    int[] found = new int[2];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              Case it = Case.random(gen);
              BucketView whole = it.at(it.nowMs());
              int maxShards = (int) gen.between(1, 16);
              List<BucketView.Part> parts = whole.choose(it.amounts(), maxShards);
              if (whole.fits(it.amounts())) {
                assertThat(whole.choose(it.amounts(), it.shards().size()))
                    .as("what fits can be taken from all")
                    .isNotNull();
              }
              found[parts == null ? 0 : 1]++;
              if (parts != null) {
                assertTaken(it, maxShards, parts);
              }
            });
    if (ran == CASES) {
      assertThat(found[0]).as("both answers were met").isBetween(CASES / 20, CASES * 19 / 20);
    }
  }

  private static void assertTaken(Case it, int maxShards, List<BucketView.Part> parts) {
    assertThat(parts.size()).isLessThanOrEqualTo(maxShards);
    assertThat(parts.stream().map(part -> part.shard().key()).distinct()).hasSameSizeAs(parts);
    long[] sumMilli = new long[it.limits().size()];
    for (BucketView.Part part : parts) {
      assertThat(part.amounts().isEmpty()).isFalse();
      BucketView shard =
          BucketView.of(part.shard(), it.limits(), it.nowMs(), PlanSettings.DEFAULT.maxSkewMs());
      assertThat(shard.fits(part.amounts())).isTrue();
      for (int i = 0; i < sumMilli.length; i++) {
        assertThat(part.amounts().milli(i)).isNotNegative();
        sumMilli[i] += part.amounts().milli(i);
      }
    }
    for (int i = 0; i < sumMilli.length; i++) {
      assertThat(sumMilli[i]).isEqualTo(it.amounts().milli(i));
    }
  }

  @Test
  void rejectWithin_tooFewShards_isARefusalWithAReason() {
    int[] met = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              Case it = Case.random(gen);
              BucketView whole = it.at(it.nowMs());
              int maxShards = (int) gen.between(1, 4);
              if (!whole.fits(it.amounts()) || whole.choose(it.amounts(), maxShards) != null) {
                return;
              }
              met[0]++;
              Rejection rejection = whole.rejectWithin(it.amounts(), maxShards);
              for (LimitStatus violation : rejection.violations()) {
                assertThat(violation.limit().soft()).isFalse();
                assertThat(violation.requestedMilli()).isPositive();
                assertThat(violation.retryAfterMs()).isPositive();
              }
            });
    if (ran == CASES) {
      assertThat(met[0]).isGreaterThan(CASES / 50);
    }
  }
}
