package dev.millrace.simulator.oracle;

import static dev.millrace.simulator.oracle.Divided.gone;
import static dev.millrace.simulator.oracle.Divided.rpm;
import static dev.millrace.simulator.oracle.Divided.shard;
import static dev.millrace.simulator.oracle.Story.FULL;
import static dev.millrace.simulator.oracle.Story.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A limit earns a millitoken a millisecond; of two shards each earns every other one. */
class ShardRulesTest {
  private static final long HALF = FULL / 2;
  private static final long USED = FULL - 10_001;
  private static final long NEARLY_ALL = FULL - 10;
  private static final Limit TPM = Limit.perMinute("tpm", 10);
  private static final long HALF_TPM = TPM.burstMilli() / 2;

  private static void conserves(Runnable part) {
    part.run();
  }

  private static void breaks(Runnable part) {
    Story.breaks(Promise.SHARDING_CONSERVES, part);
  }

  @Test
  void split_aPartOfTheBalanceMoves_passes() {
    conserves(() -> split(rpm(5_001, USED), rpm(5_000, 0)));
    conserves(() -> split(rpm(10_001, USED), rpm(0, 0)));
  }

  private static void split(LimitState parent, LimitState child) {
    Divided.of(rpm(10_001, USED)).turns(shard(0, 2, 2, T, parent), shard(1, 2, 2, T, child));
  }

  @Test
  void split_tokensAreMadeOrLost_breaks() {
    breaks(() -> split(rpm(10_001, USED), rpm(5_000, 0)));
    breaks(() -> split(rpm(5_001, USED), rpm(HALF, 0)));
    breaks(() -> split(rpm(5_000, USED), rpm(5_000, 0)));
    breaks(() -> split(rpm(5_001, USED), rpm(5_000, 7)));
    breaks(() -> split(rpm(5_001, 0), rpm(5_000, USED)));
  }

  @Test
  void split_oneOwesWhatTheOtherHolds_breaks() {
    breaks(() -> split(rpm(-1_000, USED), rpm(11_001, 0)));
    breaks(() -> split(rpm(11_001, USED), rpm(-1_000, 0)));
  }

  @Test
  void split_childAboveItsCeiling_breaks() {
    Divided full = Divided.of(rpm(FULL, 0));
    breaks(() -> full.turns(shard(0, 2, 2, T, rpm(0, 0)), shard(1, 2, 2, T, rpm(FULL, 0))));
    full.turns(shard(0, 2, 2, T, rpm(HALF, 0)), shard(1, 2, 2, T, rpm(HALF, 0)));
  }

  @Test
  void split_anotherTimestamp_breaks() {
    Divided story = Divided.of(rpm(10, NEARLY_ALL));
    story.pass(10);
    breaks(
        () ->
            story.turns(shard(0, 2, 2, T, rpm(5, NEARLY_ALL)), shard(1, 2, 2, T + 10, rpm(5, 0))));
    breaks(
        () ->
            story.turns(
                shard(0, 2, 2, T + 10, rpm(5, NEARLY_ALL)), shard(1, 2, 2, T + 10, rpm(5, 0))));
  }

  @Test
  void split_anotherShardOrLevel_breaks() {
    Divided story = Divided.of(rpm(10, NEARLY_ALL));
    breaks(() -> story.turns(shard(0, 2, 2, T, rpm(5, NEARLY_ALL)), shard(1, 2, 4, T, rpm(5, 0))));
    breaks(() -> story.turns(shard(0, 4, 4, T, rpm(5, NEARLY_ALL)), shard(1, 4, 2, T, rpm(5, 0))));
    breaks(() -> story.turns(shard(0, 2, 2, T, rpm(5, NEARLY_ALL)), shard(2, 4, 4, T, rpm(5, 0))));
  }

  @Test
  void split_intoMoreThanThereShouldBe_breaks() {
    Divided story = Divided.inTwo(10, 10);
    breaks(() -> story.turns(shard(0, 2, 4, T, rpm(5, 0)), shard(2, 2, 4, T, rpm(5, 0))));
  }

  @Test
  void split_aShardThatExpires_breaks() {
    Divided story = Divided.of(rpm(10, NEARLY_ALL));
    breaks(
        () ->
            story.turns(
                shard(0, Division.of(2, 2), T, T, rpm(5, NEARLY_ALL)),
                shard(1, 2, 2, T, rpm(5, 0))));
    breaks(
        () ->
            story.turns(
                shard(0, 2, 2, T, rpm(5, NEARLY_ALL)),
                shard(1, Division.of(2, 2), T, T, rpm(5, 0))));
  }

  @Test
  void shard_comesOrGoesByItself_breaks() {
    breaks(() -> Divided.of(rpm(10, NEARLY_ALL)).turns(shard(1, 2, 2, T, rpm(5, 0))));
    breaks(() -> Divided.of(rpm(10, NEARLY_ALL)).turns(shard(0, 2, 2, T, rpm(5, NEARLY_ALL))));
    breaks(() -> Divided.inTwo(5, 5).turns(gone(1)));
    breaks(() -> Divided.inTwo(5, 5).turns(shard(0, 1, 1, T, rpm(5, FULL - 10))));
  }

  @Test
  void bucket_madeAnewBesideItsShards_breaks() {
    Divided story = Divided.inTwo(5, 5);
    story.oracle.wrote(
        new TableWrite(
            T * 1_000,
            "p1",
            TableWrite.Source.ERASE,
            Story.KEY,
            story.state(0),
            null,
            T,
            Map.of()));
    BucketState anew =
        new BucketState(Story.KEY, T, List.of(LimitState.full(Story.RPM)), BucketState.NEVER, "op");
    breaks(
        () ->
            story.oracle.wrote(
                new TableWrite(
                    T * 1_000,
                    "p1",
                    TableWrite.Source.CLIENT,
                    Story.KEY,
                    null,
                    anew,
                    T,
                    Map.of())));
  }

  @Test
  void count_changedByTheFirstAndNothingElse_passes() {
    Divided.inTwo(5, 5).turns(shard(0, 4, 2, T, rpm(5, FULL - 10)));
    breaks(() -> Divided.inTwo(5, 5).turns(shard(1, 4, 2, T, rpm(5, 0))));
    breaks(() -> Divided.inTwo(5, 5).pass(2).turns(shard(0, 4, 2, T + 2, rpm(6, FULL - 10))));
  }

  @Test
  void merge_bothAreClaimedAndAddedUp_passes() {
    Divided story = Divided.inTwo(1_000, 3_000);
    story.turns(shard(1, 2, 2, T, rpm(2_500, 500)));
    story.pass(100).turns(shard(0, 2, 1, T + 100, rpm(3_600, FULL - 3_500)), gone(1));
    assertThat(story.oracle.chargedMilli(Story.KEY, "rpm")).isEqualTo(FULL - 3_500);
  }

  @Test
  void merge_somethingIsForgotten_breaks() {
    breaks(() -> merged(T + 100, rpm(4_100, FULL - 3_500)));
    breaks(() -> merged(T + 100, rpm(1_050, FULL - 3_500)));
    breaks(() -> merged(T + 100, rpm(3_599, FULL - 3_500)));
    breaks(() -> merged(T + 100, rpm(3_650, FULL - 3_500)));
    breaks(() -> merged(T + 100, rpm(3_600, FULL - 4_000)));
    breaks(() -> merged(T, rpm(3_600, FULL - 3_500)));
    breaks(() -> merged(T + 101, rpm(3_601, FULL - 3_500)));
  }

  private static void merged(long refilledAtMs, LimitState after) {
    Divided story = Divided.inTwo(1_000, 3_000);
    story.turns(shard(1, 2, 2, T, rpm(2_500, 500)));
    story.pass(100).turns(shard(0, 2, 1, refilledAtMs, after), gone(1));
  }

  @Test
  void merge_eachIsCutToItsOwnCeiling_passes() {
    Divided story = Divided.inTwo(HALF, 1_000);
    story.pass(100).turns(shard(0, 2, 1, T + 100, rpm(HALF + 1_050, HALF - 1_000)), gone(1));
    breaks(
        () ->
            Divided.inTwo(HALF, 1_000)
                .pass(100)
                .turns(shard(0, 2, 1, T + 100, rpm(HALF + 1_100, HALF - 1_000)), gone(1)));
  }

  @Test
  void merge_timestampThatIsAhead_isClaimedByBoth() {
    Divided story = Divided.inTwo(1_000, 1_000);
    story.pass(4_000).turns(shard(1, 2, 2, T + 4_000, rpm(3_000, 0)));
    breaks(() -> story.turns(shard(0, 2, 1, T + 3_000, rpm(5_500, FULL - 2_000)), gone(1)));
    story.turns(shard(0, 2, 1, T + 4_000, rpm(6_000, FULL - 2_000)), gone(1));
  }

  @Test
  void merge_limitThatOnlyTheChildHas_comesBackUnlessItIsFull() {
    comesBack(rpm(10, 0), new LimitState(TPM, HALF_TPM + 100, 40));
    breaks(() -> comesBack(rpm(10, 0)));
    breaks(() -> comesBack(rpm(10, 0), new LimitState(TPM, TPM.burstMilli(), 40)));
    breaks(() -> comesBack(rpm(10, 0), new LimitState(TPM, HALF_TPM + 100, 0)));
  }

  private static void comesBack(LimitState... after) {
    LimitState full = LimitState.full(TPM);
    Divided story = Divided.of(rpm(10, NEARLY_ALL), full);
    LimitState half = new LimitState(TPM, HALF_TPM, 0);
    story.turns(shard(0, 2, 2, T, rpm(5, NEARLY_ALL), half), shard(1, 2, 2, T, rpm(5, 0), half));
    long atMs = T + 2;
    story.pass(2).turns(shard(0, 2, 2, atMs, rpm(6, NEARLY_ALL)));
    story.turns(shard(1, 2, 2, atMs, rpm(6, 0), new LimitState(TPM, 100, HALF_TPM - 100)));
    story.turns(shard(0, 2, 1, atMs, fixed(after)), gone(1));
  }

  /** The totals and balances as they are by then. */
  private static LimitState[] fixed(LimitState... after) {
    LimitState[] fixed = after.clone();
    fixed[0] = rpm(12, NEARLY_ALL);
    if (fixed.length > 1 && fixed[1].consumedMilli() == 40) {
      fixed[1] = new LimitState(TPM, after[1].tokensMilli(), HALF_TPM - 100);
    }
    return fixed;
  }

  @Test
  void claim_ofAShard_earnsItsShareExactly() {
    Divided.inTwo(1_000, 1_000).pass(100).turns(shard(1, 2, 2, T + 100, rpm(1_050, 0)));
    Story.breaks(
        Promise.EXACT_REFILL,
        () -> Divided.inTwo(1_000, 1_000).pass(100).turns(shard(1, 2, 2, T + 100, rpm(1_100, 0))));
    Story.breaks(
        Promise.EXACT_REFILL,
        () -> Divided.inTwo(1_000, 1_000).pass(100).turns(shard(1, 2, 2, T + 100, rpm(1_049, 0))));
  }

  @Test
  void claim_ofAShard_isCutToItsOwnCeiling() {
    Divided.inTwo(1_000, HALF).pass(100).turns(shard(1, 2, 2, T + 100, rpm(HALF, 0)));
    Story.breaks(
        Promise.EXACT_REFILL,
        () ->
            Divided.inTwo(1_000, HALF).pass(100).turns(shard(1, 2, 2, T + 100, rpm(HALF + 50, 0))));
  }

  @Test
  void acquire_ofAllShards_isTheBoundOfTheWholeBucket() {
    Divided story = Divided.inTwo(HALF, HALF);
    story.turns(shard(0, 2, 2, T, rpm(0, HALF)));
    story.turns(shard(1, 2, 2, T, rpm(0, HALF)));
    for (int i = 1; i <= 50; i++) {
      long atMs = T + i * 1_000L;
      story.pass(1_000).turns(shard(0, 2, 2, atMs, rpm(0, HALF + i * 500L)));
      story.turns(shard(1, 2, 2, atMs, rpm(0, HALF + i * 500L)));
    }
    assertThat(story.oracle.worstBurst()).isBetween(0.99, 1.0);
  }

  @Test
  void settlement_inAShardThatNobodyClaimed_isNotCountedAgainstTheOthers() {
    Divided story = Divided.inTwo(HALF, HALF);
    story.pass(3_600_000).turns(shard(0, 2, 2, T + 3_600_000, rpm(0, HALF)));
    story.settling(20_000).turns(shard(1, 2, 2, T, rpm(10_000, 20_000)));
    story.turns(shard(1, 2, 2, T + 3_600_000, rpm(0, 20_000 + HALF)));
    assertThat(story.oracle.worstBurst()).isBetween(0.9, 1.0);
  }
}
