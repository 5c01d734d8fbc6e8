package dev.millrace.core.spi.plan;

import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.testing.Shards;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** All shards of a bucket as the one that they are to those who use it. */
class BucketViewOfShardsTest {
  /** One millitoken a millisecond. */
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private static final Limit TPM = Limit.perMinute("tpm", 6_000);
  private static final LimitSet LIMITS = LimitSet.of(RPM);
  private static final LimitSet BOTH = LimitSet.of(RPM, TPM);

  @Test
  void of_noShards_isRefused() {
    assertThatThrownBy(() -> whole(LIMITS, T))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a bucket has at least one shard");
  }

  @Test
  void balanceMilli_sumsWhatEachHasAndEarned() {
    BucketView whole = whole(LIMITS, T + 1_000, half(0, T, 10), half(1, T + 500, 5));

    assertThat(whole.balanceMilli(0)).isEqualTo(10_000 + 500 + 5_000 + 250);
  }

  @Test
  void fits_whatOneOwes_theOthersPay() {
    BucketView whole = whole(LIMITS, T, half(0, T, 12), half(1, T, -5));

    assertThat(whole.balanceMilli(0)).isEqualTo(7_000);
    assertThat(whole.fits(tokens(LIMITS, 7))).isTrue();
    assertThat(whole.fits(tokens(LIMITS, 8))).isFalse();
    assertThat(whole.fits(tokens(LIMITS, 0))).isTrue();
    assertThat(whole(LIMITS, T, half(0, T, 4), half(1, T, -5)).fits(tokens(LIMITS, 0)))
        .as("named with nothing: it must not be in debt")
        .isFalse();
  }

  @Test
  void fits_softLimit_neverSaysNo() {
    LimitSet soft = LimitSet.of(RPM.asSoft());
    BucketState empty = Shards.shard(0, 2, T, holds(RPM.asSoft(), 0));

    assertThat(whole(soft, T, empty).fits(tokens(soft, 1_000))).isTrue();
  }

  @Test
  void fitsInOne_onlyWhatASingleShardHolds() {
    BucketView whole = whole(LIMITS, T, half(0, T, 10), half(1, T, 12));

    assertThat(whole.fitsInOne(tokens(LIMITS, 12))).isTrue();
    assertThat(whole.fitsInOne(tokens(LIMITS, 13))).isFalse();
  }

  @Test
  void untilOneFitsMs_isTheShortestWaitForASingleShard() {
    BucketView whole = whole(LIMITS, T, half(0, T, 10), half(1, T, 12));

    assertThat(whole.untilOneFitsMs(tokens(LIMITS, 12))).isZero();
    assertThat(whole.untilOneFitsMs(tokens(LIMITS, 13))).isEqualTo(2_000);
    assertThat(whole.untilOneFitsMs(tokens(LIMITS, 30))).isEqualTo(36_000);
    assertThat(whole.untilOneFitsMs(tokens(LIMITS, 31)))
        .as("more than a share")
        .isEqualTo(LimitStatus.NEVER);
  }

  @Test
  void choose_fullestFirst_takesExactlyTheAmounts() {
    BucketView whole =
        whole(LIMITS, T, quarter(0, 3), quarter(1, 7), quarter(2, -2), quarter(3, 5));

    assertThat(choose(whole, tokens(LIMITS, 13), 4))
        .extracting(part -> part.shard().key().shard(), part -> part.amounts().milli(0))
        .containsExactly(tuple(1, 7_000L), tuple(3, 5_000L), tuple(0, 1_000L));
  }

  @Test
  void choose_oneHoldsAll_takesFromThatAlone() {
    BucketView whole = whole(LIMITS, T, quarter(0, 3), quarter(1, 7), quarter(2, 2), quarter(3, 5));

    assertThat(choose(whole, tokens(LIMITS, 6), 4)).hasSize(1);
  }

  @Test
  void choose_moreThanItMayTakeFrom_isNone() {
    BucketView whole = whole(LIMITS, T, quarter(0, 3), quarter(1, 7), quarter(2, 2), quarter(3, 5));

    assertThat(whole.choose(tokens(LIMITS, 13), 2)).isNull();
    assertThat(whole.choose(tokens(LIMITS, 12), 2)).hasSize(2);
    assertThat(whole.choose(tokens(LIMITS, 18), 4)).as("all there is are 17").isNull();
  }

  @Test
  void choose_nothing_isFromNone() {
    assertThat(choose(whole(LIMITS, T, quarter(0, 3)), tokens(LIMITS, 0), 4)).isEmpty();
  }

  /** A soft limit is charged in full, wherever: it has no floor. */
  @Test
  void choose_softLimit_isTakenFromTheFirst() {
    LimitSet limits = LimitSet.of(RPM, TPM.asSoft());
    BucketState a = Shards.shard(0, 2, T, holds(RPM, 5), holds(TPM.asSoft(), 1));
    BucketState b = Shards.shard(1, 2, T, holds(RPM, 6), holds(TPM.asSoft(), 2));

    assertThat(choose(whole(limits, T, a, b), tokens(limits, 10, 900), 2))
        .extracting(
            part -> part.shard().key().shard(),
            part -> part.amounts().milli(0),
            part -> part.amounts().milli(1))
        .containsExactly(tuple(1, 6_000L, 900_000L), tuple(0, 4_000L, 0L));
  }

  /** The scarcest limit tells how much of a demand a shard can give. */
  @Test
  void choose_severalLimits_looksAtTheScarcest() {
    BucketState a = Shards.shard(0, 2, T, holds(RPM, 9), holds(TPM, 100));
    BucketState b = Shards.shard(1, 2, T, holds(RPM, 6), holds(TPM, 900));

    assertThat(choose(whole(BOTH, T, a, b), tokens(BOTH, 12, 950), 2))
        .extracting(
            part -> part.shard().key().shard(),
            part -> part.amounts().milli(0),
            part -> part.amounts().milli(1))
        .containsExactly(tuple(1, 6_000L, 900_000L), tuple(0, 6_000L, 50_000L));
  }

  @Test
  void statuses_tooMuch_tellsWhatAllHoldAndWhenTheyHoldEnough() {
    BucketView whole = whole(LIMITS, T, half(0, T, 10), half(1, T, 5));

    assertThat(whole.statuses(tokens(LIMITS, 20)))
        .containsExactly(
            new LimitStatus(
                "key-42", "gpt-4", RPM, 15_000, 20_000, true, /* retryAfterMs= */ 5_000));
    assertThat(whole.statuses(tokens(LIMITS, 15)))
        .containsExactly(new LimitStatus("key-42", "gpt-4", RPM, 15_000, 15_000, false, 0));
    assertThat(whole.statuses(tokens(LIMITS, 61)).get(0).retryAfterMs())
        .isEqualTo(LimitStatus.NEVER);
  }

  /** A full shard earns nothing more: the other one has to fill up alone. */
  @Test
  void statuses_oneShardIsFull_waitsForTheOther() {
    BucketView whole = whole(LIMITS, T, half(0, T, 30), half(1, T, 0));

    assertThat(whole.statuses(tokens(LIMITS, 40)).get(0).retryAfterMs()).isEqualTo(20_000);
    assertThat(whole.statuses(tokens(LIMITS, 60)).get(0).retryAfterMs()).isEqualTo(60_000);
  }

  @Test
  void statusesIfAdmitted_tooMuch_exceedsNothing() {
    assertThat(whole(LIMITS, T, half(0, T, 10)).statusesIfAdmitted(tokens(LIMITS, 20)))
        .containsExactly(new LimitStatus("key-42", "gpt-4", RPM, 10_000, 20_000, false, 0));
  }

  @Test
  void rejectWithin_fewerShardsThanItTakes_namesTheLimitsThatTheyLack() {
    BucketState a = Shards.shard(0, 2, T, holds(RPM, 9), holds(TPM, 500));
    BucketState b = Shards.shard(1, 2, T, holds(RPM, 6), holds(TPM, 900));

    List<LimitStatus> statuses =
        whole(BOTH, T, a, b).rejectWithin(tokens(BOTH, 12, 700), 1).statuses();

    assertThat(statuses)
        .extracting(LimitStatus::availableMilli, LimitStatus::exceeded, LimitStatus::retryAfterMs)
        .as("one of them holds 9; the bucket earns 3 in 3 s")
        .containsExactly(tuple(15_000L, true, 3_000L), tuple(1_400_000L, false, 0L));
  }

  /** Each limit by itself is in some shard, but not both in the same one. */
  @Test
  void rejectWithin_combination_namesAll() {
    BucketState a = Shards.shard(0, 2, T, holds(RPM, 9), holds(TPM, 100));
    BucketState b = Shards.shard(1, 2, T, holds(RPM, 1), holds(TPM, 900));
    BucketView whole = whole(BOTH, T, a, b);

    assertThat(whole.choose(tokens(BOTH, 5, 500), 1)).isNull();
    assertThat(whole.rejectWithin(tokens(BOTH, 5, 500), 1).statuses())
        .allMatch(LimitStatus::exceeded)
        .allMatch(status -> status.retryAfterMs() >= 1);
  }

  @Test
  void ahead_someFollowALaterConfiguration_isTheLatest() {
    EffectiveLimits three = new EffectiveLimits(LIMITS, on(RESOURCE, 3));
    BucketState four = at(on(RESOURCE, 4), half(0, T, 1));
    BucketState five = at(on(RESOURCE, 5), half(1, T, 1));
    BucketState same = at(on(RESOURCE, 3), half(1, T, 1));

    assertThat(BucketView.ofShards(List.of(four, five), three, T, 10_000).ahead())
        .isEqualTo(on(RESOURCE, 5));
    assertThat(BucketView.ofShards(List.of(same), three, T, 10_000).ahead()).isNull();
  }

  @Test
  void isDisabled_oneShardIsOff_allAre() {
    EffectiveLimits terms = new EffectiveLimits(LIMITS, off(RESOURCE, 3));
    BucketState on = at(on(RESOURCE, 3), half(0, T, 1));
    BucketState off = at(off(RESOURCE, 3), half(1, T, 1));

    assertThat(BucketView.ofShards(List.of(on, off), terms, T, 10_000).isDisabled()).isTrue();
    assertThat(whole(LIMITS, T, half(0, T, 1)).isDisabled()).isFalse();
  }

  @Test
  void needsRepair_oneShardHasOtherLimits_isDue() {
    BucketState other = Shards.shard(1, 2, T, holds(RPM.withBurst(70), 1));

    assertThat(whole(LIMITS, T, half(0, T, 1), half(1, T, 1)).needsRepair()).isFalse();
    assertThat(whole(LIMITS, T, half(0, T, 1), other).needsRepair()).isTrue();
  }

  private static List<BucketView.Part> choose(BucketView whole, Amounts amounts, int maxShards) {
    return Objects.requireNonNull(whole.choose(amounts, maxShards));
  }

  private static BucketState half(int shard, long refilledAtMs, long tokens) {
    return Shards.shard(shard, 2, refilledAtMs, holds(RPM, tokens));
  }

  private static BucketState quarter(int shard, long tokens) {
    return Shards.shard(shard, 4, T, holds(RPM, tokens));
  }

  private static BucketView whole(LimitSet limits, long nowMs, BucketState... shards) {
    return BucketView.ofShards(
        List.of(shards), EffectiveLimits.ofCall(limits), nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }
}
