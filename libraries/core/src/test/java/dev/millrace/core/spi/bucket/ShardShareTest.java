package dev.millrace.core.spi.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.Shards;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shares partition what a limit holds and what it earns, to the millitoken. */
class ShardShareTest {
  private static final int CASES = 3_000;
  private static final int MOST_SPLITS = 40;
  private static final int MAX_LEVEL = 64;

  @Test
  void partOf_tenTokensOverEightShards_isStillTen() {
    assertThat(parts(8, 10_000)).containsOnly(1_250L);
    assertThat(parts(8, 10_003))
        .as("the odd ones are with the low shards")
        .containsExactly(1_251L, 1_251L, 1_251L, 1_250L, 1_250L, 1_250L, 1_250L, 1_250L);
  }

  @Test
  void partOf_tenTokensOverSixtyFourShards_isStillTen() {
    List<Long> parts = parts(64, 10_000);

    assertThat(parts).hasSize(64).containsOnly(156L, 157L);
    assertThat(parts.stream().mapToLong(Long::longValue).sum()).isEqualTo(10_000);
  }

  @Test
  void partOf_fewerMillitokensThanShards_leavesSomeWithNone() {
    assertThat(parts(4, 3)).containsExactly(1L, 1L, 1L, 0L);
    assertThat(parts(4, 0)).containsOnly(0L);
  }

  @Test
  void partOf_debt_isDividedLikeABalance() {
    assertThat(parts(4, -3)).containsExactly(-1L, -1L, -1L, 0L);
    assertThat(parts(8, -10_003).stream().mapToLong(Long::longValue).sum()).isEqualTo(-10_003);
  }

  /** Where arithmetic stops, a debt must not turn into nothing. */
  @Test
  void partOf_endsOfTheRange_areDividedToo() {
    assertThat(parts(2, Long.MAX_VALUE)).containsExactly((1L << 62), (1L << 62) - 1);
    assertThat(parts(2, Long.MIN_VALUE)).containsExactly(-(1L << 62), -(1L << 62) + 1);
  }

  @Test
  void partOf_shardsOfAnySplits_sumToTheWhole() {
    Laws.check(
        CASES,
        gen -> {
          long wholeMilli = (gen.oneIn(4) ? -1 : 1) * gen.scaled(Limit.MAX_TOKENS * Limit.MILLI);
          long sumMilli = 0;
          for (ShardShare share : shares(gen)) {
            long partMilli = share.partOf(wholeMilli);
            assertThat(BigInteger.valueOf(partMilli).subtract(evenPart(share, wholeMilli)).abs())
                .as("no more than the odd one beside the even part")
                .isLessThanOrEqualTo(BigInteger.ONE);
            sumMilli += partMilli;
          }
          assertThat(sumMilli).isEqualTo(wholeMilli);
        });
  }

  private static BigInteger evenPart(ShardShare share, long wholeMilli) {
    return BigInteger.valueOf(wholeMilli).divide(BigInteger.valueOf(share.level()));
  }

  @Test
  void creditMilli_shardsOfAnySplits_sumToTheWhole() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long fromMs = instantMs(gen, refill);
          long toMs = fromMs + gen.between(-1_000, 1_000) + gen.between(0, 1) * gen.stretchMs();
          long wholeMilli = refill.creditMilli(fromMs, toMs);
          long sumMilli = 0;
          for (ShardShare share : shares(gen)) {
            long partMilli = share.creditMilli(refill, fromMs, toMs);
            sumMilli += partMilli;
            if (wholeMilli == Long.MAX_VALUE) {
              assertThat(partMilli)
                  .as("beyond 64 bits: more than any ceiling")
                  .isGreaterThan(share.partOf(Limit.MAX_TOKENS * Limit.MILLI));
            }
          }
          if (wholeMilli != Long.MAX_VALUE) {
            assertThat(sumMilli).isEqualTo(wholeMilli);
          }
        });
  }

  /** Against the definition: of the numbers C(a) … C(b) − 1 those that leave the shard's rest. */
  @Test
  void creditMilli_always_countsTheMillitokensThatLeaveItsRest() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          long fromMs = instantMs(gen, refill);
          long toMs = fromMs + gen.stretchMs() / 1_000; // never beyond 64 bits
          ShardShare share = gen.pick(shares(gen));
          assertThat(share.creditMilli(refill, fromMs, toMs))
              .isEqualTo(
                  belowOf(share, cumulative(refill, toMs))
                      .subtract(belowOf(share, cumulative(refill, fromMs)))
                      .longValueExact());
        });
  }

  @Test
  void creditMilli_anySplitOfTime_sumsToWhole() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          ShardShare share = gen.pick(shares(gen));
          long startMs = instantMs(gen, refill);
          long nowMs = startMs;
          long sumMilli = 0;
          for (long i = gen.between(1, 20); i > 0; i--) {
            long laterMs = nowMs + gen.scaled(gen.oneIn(2) ? 10 : refill.periodMs());
            sumMilli += share.creditMilli(refill, nowMs, laterMs);
            nowMs = laterMs;
          }
          assertThat(share.creditMilli(refill, startMs, nowMs)).isEqualTo(sumMilli);
        });
  }

  @Test
  void creditMilli_timeThatDoesNotAdvance_earnsNothing() {
    Refill refill = Refill.of(60_000, 60_000);

    assertThat(ShardShare.of(1, 2).creditMilli(refill, Gen.EPOCH_MS, Gen.EPOCH_MS)).isZero();
    assertThat(ShardShare.of(1, 2).creditMilli(refill, Gen.EPOCH_MS, Gen.EPOCH_MS - 1)).isZero();
  }

  @Test
  void creditMilli_beyondTheRange_isTheShardsPartOfTheEnd() {
    Refill refill = Refill.of(Limit.MAX_TOKENS * Limit.MILLI, 1);

    assertThat(ShardShare.of(3, 4).creditMilli(refill, 0, 1_000)).isEqualTo(Long.MAX_VALUE / 4);
  }

  @Test
  void earnedAtMs_always_isTheLeastSuchInstant() {
    Laws.check(
        CASES,
        gen -> {
          Refill refill = gen.refill();
          ShardShare share = gen.pick(shares(gen));
          long fromMs = instantMs(gen, refill);
          long neededMilli = gen.scaled(Math.max(1, refill.amountMilli() * 1_000 / share.level()));
          assertLeast(refill, share, fromMs, neededMilli);
        });
  }

  private static void assertLeast(Refill refill, ShardShare share, long fromMs, long neededMilli) {
    long atMs = share.earnedAtMs(refill, fromMs, neededMilli);
    assertThat(atMs).isGreaterThan(fromMs);
    assertThat(share.creditMilli(refill, fromMs, atMs)).isGreaterThanOrEqualTo(neededMilli);
    assertThat(share.creditMilli(refill, fromMs, atMs - 1)).isLessThan(neededMilli);
  }

  @Test
  void earnedAtMs_largeNumbers_isTheLeastSuchInstant() {
    // The largest ceiling, over the most shards, filled in a year
    Refill refill = Refill.of(Limit.MAX_TOKENS * Limit.MILLI, 31_536_000_000L);
    ShardShare last = ShardShare.of(BucketKey.MAX_SHARDS - 1, BucketKey.MAX_SHARDS);
    long ceilingMilli = last.partOf(Limit.MAX_TOKENS * Limit.MILLI);

    assertLeast(refill, last, Gen.EPOCH_MS, ceilingMilli);
    assertLeast(refill, last, Gen.EPOCH_MS - 1, 1);
    assertLeast(refill, ShardShare.of(0, 2), -1, 4 * ceilingMilli);
  }

  @Test
  void earnedAtMs_beyondTheRange_isNever() {
    Refill slow = Refill.of(1_000, 86_400_000);

    assertThat(ShardShare.of(1, 2).earnedAtMs(slow, Gen.EPOCH_MS, Long.MAX_VALUE))
        .isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void earnedAtMs_nothingNeeded_isNow() {
    Refill refill = Refill.of(60_000, 60_000);

    assertThat(ShardShare.of(1, 2).earnedAtMs(refill, Gen.EPOCH_MS, 0)).isEqualTo(Gen.EPOCH_MS);
    assertThat(ShardShare.of(1, 2).earnedAtMs(refill, Gen.EPOCH_MS, -5)).isEqualTo(Gen.EPOCH_MS);
  }

  /** One millitoken a millisecond: each of four shards earns every fourth one. */
  @Test
  void earnedAtMs_fourShards_takeTurns() {
    Refill refill = Refill.of(60_000, 60_000);

    assertThat(
            IntStream.range(0, 4)
                .mapToObj(shard -> ShardShare.of(shard, 4).earnedAtMs(refill, Gen.EPOCH_MS, 1)))
        .containsExactly(Gen.EPOCH_MS + 1, Gen.EPOCH_MS + 2, Gen.EPOCH_MS + 3, Gen.EPOCH_MS + 4);
  }

  @Test
  void of_outOfRange_isRefused() {
    assertThatThrownBy(() -> ShardShare.of(4, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shard 4 must be from 0 to below its level 4");
    assertThatThrownBy(() -> ShardShare.of(-1, 4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ShardShare.of(0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ShardShare.of(0, 3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ShardShare.of(0, 2 * BucketKey.MAX_SHARDS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ShardShare.of(0, 1)).isSameAs(ShardShare.WHOLE);
  }

  private static List<Long> parts(int level, long wholeMilli) {
    return IntStream.range(0, level)
        .mapToObj(shard -> ShardShare.of(shard, level).partOf(wholeMilli))
        .toList();
  }

  /** All shards of one level, or of mixed ones. */
  private static List<ShardShare> shares(Gen gen) {
    if (gen.oneIn(2)) {
      return Shards.random(gen, (int) gen.between(0, MOST_SPLITS), MAX_LEVEL);
    }
    int level = 1 << gen.between(0, 6);
    return IntStream.range(0, level).mapToObj(shard -> ShardShare.of(shard, level)).toList();
  }

  /** Any instant, half of them at the border of a period. */
  private static long instantMs(Gen gen, Refill refill) {
    long anyMs = gen.instantMs();
    long borderMs = Math.floorDiv(anyMs, refill.periodMs()) * refill.periodMs();
    return gen.oneIn(2) ? anyMs : borderMs + gen.between(-1, 1);
  }

  /** How many whole numbers below {@code bound} leave the rest of the share, counted from 0. */
  private static BigInteger belowOf(ShardShare share, BigInteger bound) {
    BigInteger level = BigInteger.valueOf(share.level());
    BigInteger numerator = bound.subtract(BigInteger.valueOf(share.shard())).add(level);
    return floorDivide(numerator.subtract(BigInteger.ONE), level);
  }

  private static BigInteger cumulative(Refill refill, long ms) {
    return floorDivide(
        BigInteger.valueOf(ms).multiply(BigInteger.valueOf(refill.amountMilli())),
        BigInteger.valueOf(refill.periodMs()));
  }

  private static BigInteger floorDivide(BigInteger number, BigInteger divisor) {
    return number.subtract(number.mod(divisor)).divide(divisor);
  }
}
