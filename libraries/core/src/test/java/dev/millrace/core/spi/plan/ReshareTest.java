package dev.millrace.core.spi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A bucket takes on another share of its limit, and tokens move along with it. */
class ReshareTest {
  private static final long START_MS = 1_700_000_000_000L;
  private static final BucketKey KEY = BucketKey.first("default", "a", "gpt-4");
  private static final Limit HALF = Limit.perSecond("rps", 500);
  private static final Limit QUARTER = Limit.perSecond("rps", 250);
  private static final Limit MORE = Limit.perSecond("rps", 750);

  private static EffectiveLimits terms(Limit limit, long version) {
    return new EffectiveLimits(
        LimitSet.of(limit),
        new ConfigStamp(
            ConfigLevel.ENTITY_RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, version), false));
  }

  /** A bucket of half the limit that holds so much. */
  private static BucketState holding(long tokensMilli) {
    BucketState full = BucketState.full(KEY, terms(HALF, 1), START_MS);
    return new BucketState(
        KEY,
        START_MS,
        List.of(new LimitState(HALF, tokensMilli, 7_000)),
        full.division(),
        full.wcuMilli(),
        full.expiresAtSeconds(),
        "op-0",
        full.stamp());
  }

  private static WritePlan.Locked reshare(
      BucketState state, EffectiveLimits terms, long milli, long nowMs) {
    return RegionShareWrites.reshare(
        state, terms, Map.of("rps", milli), nowMs, PlanSettings.DEFAULT, "op-1");
  }

  private static LimitState after(BucketState state, WritePlan.Locked plan) {
    BucketState after = Objects.requireNonNull(PlanEffect.apply(state, plan));
    assertThat(after.stamp().versions().system()).isEqualTo(2);
    return Objects.requireNonNull(after.find("rps"));
  }

  @Test
  void reshare_donor_earnsAtTheOldRateThenGivesThenIsClipped() {
    BucketState state = holding(100_000);

    LimitState after = after(state, reshare(state, terms(QUARTER, 2), -80_000, START_MS + 100));

    assertThat(after.limit()).isEqualTo(QUARTER);
    assertThat(after.tokensMilli()).as("50 of the old rate").isEqualTo(100_000 + 50_000 - 80_000);
    assertThat(after.consumedMilli()).isEqualTo(7_000);
  }

  @Test
  void reshare_donorThatIsFull_givesWhatItWouldLoseAnyway() {
    BucketState state = holding(500_000);

    LimitState after = after(state, reshare(state, terms(QUARTER, 2), -250_000, START_MS));

    assertThat(after.tokensMilli()).isEqualTo(250_000);
  }

  @Test
  void reshare_receiver_getsUpToTheNewCeiling() {
    BucketState state = holding(450_000);

    assertThat(after(state, reshare(state, terms(MORE, 2), 200_000, START_MS)).tokensMilli())
        .as("and what a millisecond earns, by which the lock moves")
        .isEqualTo(650_500);
    assertThat(after(state, reshare(state, terms(MORE, 2), 400_000, START_MS)).tokensMilli())
        .isEqualTo(750_000);
  }

  @Test
  void reshare_donorThatHasSpentItMeanwhile_refusesTheWrite() {
    WritePlan.Locked plan = reshare(holding(100_000), terms(QUARTER, 2), -80_000, START_MS + 100);
    LimitChange change = plan.changes().get(0);

    assertThat(change.accepts(100_000)).isTrue();
    assertThat(change.accepts(30_000)).as("nothing below zero is left").isTrue();
    assertThat(change.accepts(29_999)).isFalse();
  }

  @Test
  void reshare_debt_staysWithTheDonor() {
    BucketState state = holding(-40_000);

    LimitState after = after(state, reshare(state, terms(QUARTER, 2), 0, START_MS + 10));

    assertThat(after.tokensMilli()).isEqualTo(-35_000);
  }
}
