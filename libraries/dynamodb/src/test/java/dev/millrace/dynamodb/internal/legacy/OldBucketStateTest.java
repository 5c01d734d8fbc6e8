package dev.millrace.dynamodb.internal.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.dynamodb.internal.legacy.OldBucket.OldLimit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OldBucketStateTest {
  private static final int CASES = 5_000;
  private static final long NOW = Old.NOW_MS;

  @Test
  void state_version2_isTakenOverAsItIs() {
    BucketState state =
        carried(limit("rpm", -7, 3, NOW - 90_000), limit("tpm", 9, 4, NOW - 90_000));

    assertThat(state.refilledAtMs()).isEqualTo(NOW - 90_000);
    assertThat(state.limits()).extracting(LimitState::tokensMilli).containsExactly(-7L, 9L);
    assertThat(state.limits()).extracting(LimitState::consumedMilli).containsExactly(3L, 4L);
    assertThat(state.stamp()).isEqualTo(ConfigStamp.CALL);
    assertThat(state.op()).isEqualTo("$op");
  }

  @Test
  void state_timestampsThatDiffer_meetAtTheLatest() {
    // 100 a minute are 100 millitokens in 60 ms.
    BucketState state = carried(limit("rpm", 0, 3, NOW - 600), limit("tpm", 9, 4, NOW));

    assertThat(state.refilledAtMs()).isEqualTo(NOW);
    assertThat(state.limits()).extracting(LimitState::tokensMilli).containsExactly(1_000L, 9L);
  }

  @Test
  void state_timestampAheadOfNow_isNotTaken() {
    BucketState state = carried(limit("rpm", 0, 3, NOW - 600), limit("tpm", 9_000, 4, NOW + 600));

    assertThat(state.refilledAtMs()).isEqualTo(NOW);
    // What tpm claimed ahead is taken back until then.
    assertThat(state.limits()).extracting(LimitState::tokensMilli).containsExactly(1_000L, 8_000L);
  }

  @Test
  void state_wildTimestamp_earnsNothingAndOwesNothing() {
    long wild = NOW + 86_400_000;
    BucketState state = carried(limit("rpm", 0, 3, NOW - 600), limit("tpm", 9_000, 4, wild));

    assertThat(state.refilledAtMs()).isEqualTo(NOW - 600);
    assertThat(state.limits()).extracting(LimitState::tokensMilli).containsExactly(0L, 9_000L);
    assertThat(carried(limit("rpm", 1, 3, wild), limit("tpm", 2, 4, wild + 1)).refilledAtMs())
        .isEqualTo(NOW);
  }

  @Test
  void state_expiry_isKeptOnlyWhereThereWasOne() {
    assertThat(carried(limit("rpm", 0, 0, NOW)).expiresAtSeconds()).isGreaterThan(NOW / 1_000);
    OldBucket stays =
        new OldBucket(
            Old.KEY, OldBucket.COMPOSITE, List.of(limit("rpm", 0, 0, NOW)), /* expires= */ false);
    assertThat(stays.state(NOW, "$op").expiresAtSeconds()).isEqualTo(BucketState.NEVER);
  }

  /** The law: what a limit has from now on is what it would have had. */
  @Test
  void state_anyBucket_noLimitGainsOrLosesAnythingFromNowOn() {
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<OldLimit> limits = new ArrayList<>();
      int many = random.nextInt(1, 5);
      for (int i = 0; i < many; i++) {
        limits.add(randomLimit(random, "l" + i));
      }
      OldBucket old = new OldBucket(Old.KEY, OldBucket.PER_LIMIT, limits, true);

      BucketState state = old.state(NOW, "$op");

      long laterMs = NOW + random.nextLong(OldBucket.MAX_AHEAD_MS, 600_000);
      for (int i = 0; i < many; i++) {
        LimitState before = limits.get(i).state();
        LimitState after = state.limits().get(i);
        assertThat(after.consumedMilli()).isEqualTo(before.consumedMilli());
        assertThat(after.balanceMilli(ShardShare.WHOLE, state.refilledAtMs(), laterMs))
            .as("seed %s limit %s", seed, before)
            .isEqualTo(
                before.balanceMilli(ShardShare.WHOLE, limits.get(i).refilledAtMs(), laterMs));
      }
    }
  }

  @Test
  void lacking_isWhatTheCeilingIsAbove() {
    OldBucket old =
        new OldBucket(
            Old.KEY,
            OldBucket.PER_LIMIT,
            List.of(limit("rpm", 40_000, 0, NOW), limit("tpm", 200_000, 0, NOW)),
            true);

    assertThat(old.lackingMilli(NOW)).isEqualTo(Map.of("rpm", 60_000L, "tpm", 0L));
  }

  private static OldLimit randomLimit(SplittableRandom random, String name) {
    long capacityMilli = random.nextLong(1, 1_000_000);
    Limit limit =
        new Limit(
            name,
            capacityMilli,
            capacityMilli + random.nextLong(0, 1_000),
            Refill.of(random.nextLong(1, 1_000_000), random.nextLong(1, 100_000)));
    long tokensMilli = random.nextLong(-2 * capacityMilli, capacityMilli + 1);
    return new OldLimit(
        new LimitState(limit, tokensMilli, random.nextLong(1_000_000)),
        NOW - random.nextLong(-OldBucket.MAX_AHEAD_MS, 1_000_000));
  }

  private static OldLimit limit(String name, long tokens, long consumed, long refilledAtMs) {
    return new OldLimit(new LimitState(Limit.perMinute(name, 100), tokens, consumed), refilledAtMs);
  }

  private static BucketState carried(OldLimit... limits) {
    return new OldBucket(Old.KEY, OldBucket.PER_LIMIT, List.of(limits), true).state(NOW, "$op");
  }
}
