package dev.millrace.simulator.oracle;

import static dev.millrace.simulator.oracle.Story.FULL;
import static dev.millrace.simulator.oracle.Story.KEY;
import static dev.millrace.simulator.oracle.Story.RPM;
import static dev.millrace.simulator.oracle.Story.T;
import static dev.millrace.simulator.oracle.Story.breaks;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BurstRulesTest {
  private static final long HOUR_MS = 3_600_000;

  @Test
  void acquire_allOfTheCeilingAndThenTheRate_isTheBound() {
    Story story = Story.of(0);
    for (int i = 0; i < 100; i++) {
      story.pass(1_000).claims(1_000);
    }
    assertThat(story.oracle.worstBurst()).isCloseTo(1.0, within(0.002));
  }

  @Test
  void acquire_besideUnclaimedTime_breaks() {
    Story.of(FULL).pass(80).takes(FULL);
    breaks(Promise.BOUNDED_BURST, () -> Story.of(FULL).pass(83).takes(FULL));
  }

  @Test
  void acquire_besideUnclaimedTimeInSilence_breaksWhenTheTimeIsClaimed() {
    Story story = Story.of(FULL);
    story.pass(HOUR_MS).silently().takes(FULL);
    breaks(Promise.BOUNDED_BURST, () -> story.pass(1).silently().claims(FULL));
  }

  @Test
  void acquire_fromAboveTheCeiling_breaks() {
    Story story = Story.of(FULL);
    story.givingBack(10_000).takes(-10_000);
    breaks(Promise.BOUNDED_BURST, () -> story.takes(1));
    story.pass(1).claims(FULL);
  }

  @Test
  void settlement_besideUnclaimedTime_isNotCountedAgainstTheAcquiresAfterIt() {
    Story story = Story.of(FULL);
    story.pass(HOUR_MS).settling(30_000).takes(30_000);
    story.claims(FULL);
    assertThat(story.oracle.worstBurst()).isCloseTo(1.0, within(0.002));
  }

  @Test
  void settlement_intoDebt_isPaidBeforeOthersAreAdmitted() {
    Story story = Story.of(0);
    story.settling(50_000).takes(50_000);
    story.pass(60_000).claims(10_000);
    story.pass(10_000).claims(10_000);
  }

  @Test
  void acquire_byAFastClock_isAllowedAsSkew() {
    Story story = Story.of(0);
    story.pass(1_000).fast(5_000).claims(6_000);
    story.pass(5_000).claims(0);
    story.pass(1_000).claims(1_000);
  }

  @Test
  void acquire_lateOnItsWay_countsAsASlowClock() {
    Story story = Story.of(FULL);
    story.pass(3_000).fast(-3_000).becomes(T, new LimitState(RPM, 0, FULL));
    story.claims(3_000);
  }

  @Test
  void expiry_full_passesAndWhatComesNextIsCountedOn() {
    Story story = Story.of(0);
    story.pass(HOUR_MS).expires();
    story.becomes(story.nowMs(), new LimitState(RPM, 0, FULL));
    assertThat(story.oracle.chargedMilli(KEY, "rpm")).isEqualTo(2 * FULL);
  }

  @Test
  void expiry_beforeItsTime_breaks() {
    breaks(Promise.BOUNDED_BURST, () -> Story.of(FULL).pass(HOUR_MS - 1_000).expires());
  }

  @Test
  void expiry_ofABucketThatNeverExpires_breaks() {
    Story story = new Story();
    ConfigStamp stamp =
        new ConfigStamp(
            ConfigLevel.ENTITY_RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 1), false);
    story.becomes(
        new BucketState(KEY, T, List.of(LimitState.full(RPM)), BucketState.NEVER, "op", stamp));
    breaks(Promise.BOUNDED_BURST, () -> story.pass(2 * HOUR_MS).expires());
  }

  @Test
  void expiry_notFull_breaks() {
    Story story = new Story();
    story.becomes(withExpiry(story, 0, T / 1_000 + 30));
    breaks(Promise.BOUNDED_BURST, () -> story.pass(59_999).expires());
    story.pass(1).expires();
  }

  @Test
  void expiry_inDebt_forgivesIt() {
    Story story = Story.of(0);
    story.settling(50_000).becomes(withExpiry(story, -50_000, T / 1_000 + 30));
    story.pass(60_000).expires();
    story.becomes(story.nowMs(), new LimitState(RPM, 0, FULL));
  }

  @Test
  void expiry_setByAClockThatNothingIsPromisedOf_passes() {
    Story story = new Story();
    story.becomes(withExpiry(story, 0, T / 1_000 + 3_600));
    story.pass(10).fast(-10_001).givingBack(1).becomes(unclaimed());
    story.pass(1_000).expires();
    Story slow = new Story();
    slow.becomes(withExpiry(slow, 0, T / 1_000 + 3_600));
    slow.pass(10).fast(-9_000).givingBack(1).becomes(unclaimed());
    breaks(Promise.BOUNDED_BURST, () -> slow.pass(1_000).expires());
  }

  /** A millitoken given back by a write whose expiry is over when it is made. */
  private static BucketState unclaimed() {
    return new BucketState(KEY, T, List.of(new LimitState(RPM, 1, FULL - 1)), T / 1_000 - 5, "op");
  }

  @Test
  void expiry_aLimitThatTheLastWriterDidNotTouch_mayBeForgotten() {
    Limit tpm = Limit.perDay("tpm", 10);
    LimitState spent = new LimitState(tpm, 0, 10_000);
    Story story = new Story();
    story.becomes(T, new LimitState(RPM, 0, FULL), spent);
    story.settling(1).becomes(T, new LimitState(RPM, -1, FULL + 1), spent);
    story.pass(2 * HOUR_MS).expires();
    Story touched = new Story();
    touched.becomes(T, new LimitState(RPM, 0, FULL), spent);
    breaks(Promise.BOUNDED_BURST, () -> touched.pass(2 * HOUR_MS).expires());
  }

  @Test
  void erase_madeAnewWithTheSameTimestamp_whatIsCreditedIsNotJudged() {
    Story story = Story.of(1_000);
    story.isErased();
    story.becomes(T, new LimitState(RPM, FULL, 0));
    story.pass(10).claimsTo(FULL + 10, 0); // planned when there were 1,000
    assertThat(story.oracle.unjudged()).isEqualTo(1);
    breaks(Promise.EXACT_REFILL, () -> story.pass(10).claimsTo(FULL + 20, 0));
  }

  private static BucketState withExpiry(Story story, long tokensMilli, long expiresAtSeconds) {
    return new BucketState(
        KEY,
        story.nowMs(),
        List.of(new LimitState(RPM, tokensMilli, FULL - tokensMilli)),
        expiresAtSeconds,
        "op");
  }

  @Test
  void erase_anyTime_beginsAnew() {
    Story story = Story.of(0);
    story.pass(1).isErased();
    story.becomes(story.nowMs(), new LimitState(RPM, 0, FULL));
    assertThat(story.oracle.chargedMilli(KEY, "rpm")).isEqualTo(2 * FULL);
  }

  @Test
  void expiry_asIfErased_wouldDoubleTheBurst() {
    Story story = new Story();
    story.becomes(withExpiry(story, 0, T / 1_000));
    breaks(Promise.BOUNDED_BURST, () -> story.pass(1_000).expires());
  }

  @Test
  void operatorsGift_isNotHeldAgainstThoseWhoSpendIt() {
    Story story = Story.of(0);
    story.pass(1).operator().claimsTo(FULL, FULL);
    story.pass(1).claims(FULL);
  }

  @Test
  void wrote_aHistoryWithAGap_isRefused() {
    Story story = Story.of(1_000);
    Story other = Story.of(2_000);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                story.oracle.wrote(
                    new TableWrite(
                        (T + 1) * 1_000,
                        "p1",
                        TableWrite.Source.CLIENT,
                        KEY,
                        other.state(),
                        story.state(),
                        T,
                        Map.of())))
        .withMessageContaining("not what was last told");
  }
}
