package dev.millrace.simulator.oracle;

import static dev.millrace.simulator.oracle.Story.FULL;
import static dev.millrace.simulator.oracle.Story.RPM;
import static dev.millrace.simulator.oracle.Story.T;
import static dev.millrace.simulator.oracle.Story.breaks;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitRulesTest {
  private static final ConfigStamp STORED =
      new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 1), false);

  @Test
  void claim_creditsWhatWasEarned_passes() {
    Story.of(1_000).pass(500).claimsTo(1_500 - 700, FULL - 1_000 + 700);
  }

  @Test
  void claim_creditsOneMoreOrOneLess_breaks() {
    breaks(Promise.EXACT_REFILL, () -> Story.of(1_000).pass(500).claimsTo(1_501, FULL - 1_000));
    breaks(Promise.EXACT_REFILL, () -> Story.of(1_000).pass(500).claimsTo(1_499, FULL - 1_000));
  }

  @Test
  void claim_fractions_areCountedSinceTheEpoch() {
    Limit odd = Limit.custom("rpm", 10, 10, Duration.ofMinutes(1)); // one in 6 ms
    long start = 6 * (T / 6) + 5;
    Story story = new Story();
    story.pass(start - T).becomes(start, new LimitState(odd, 0, 10_000));
    story.pass(1).becomes(start + 1, new LimitState(odd, 1, 10_000));
    breaks(
        Promise.EXACT_REFILL,
        () -> story.pass(5).becomes(start + 6, new LimitState(odd, 2, 10_000)));
  }

  @Test
  void claim_atTheCeiling_isClippedExactly() {
    Story.of(FULL - 100).pass(500).claimsTo(FULL - 30, 100 + 30);
    breaks(Promise.EXACT_REFILL, () -> Story.of(FULL - 100).pass(500).claimsTo(FULL + 400, 100));
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(FULL - 100).pass(500).claimsTo(FULL + 400 - 450, 100 + 450));
    breaks(Promise.EXACT_REFILL, () -> Story.of(FULL - 100).pass(500).claimsTo(FULL - 1, 100));
  }

  @Test
  void claim_balanceThatARefundLifted_isClipped() {
    Story story = Story.of(FULL - 10);
    story.givingBack(30).takes(-30);
    story.pass(5).claimsTo(FULL, -20);
  }

  @Test
  void claim_plannedBeforeOthersTook_losesOnlyWhatTheyTook() {
    Story story = Story.of(FULL);
    story.pass(10).takes(20);
    story.pass(40).claimsTo(FULL - 20, 20); // planned from the full bucket: 50 were earned
    Story greedy = Story.of(FULL - 100);
    greedy.pass(10).takes(20);
    breaks(Promise.EXACT_REFILL, () -> greedy.pass(40).claimsTo(FULL - 120 + 49, 120));
  }

  @Test
  void claim_plannedBeforeARefund_mayLeaveItAboveTheCeiling() {
    Story story = Story.of(FULL - 10);
    story.givingBack(5).takes(-5);
    story.pass(40).claimsTo(FULL + 5, 5);
  }

  @Test
  void claim_refundThatTheCeilingSwallows_isBelievedWhenThereWasOne() {
    Story.of(FULL - 10).pass(5).givingBack(30).claimsTo(FULL, 10 - 30);
    Story.of(FULL - 10).pass(5).givingBack(30).claimsTo(FULL - 40, 10 - 30 + 40);
    breaks(Promise.EXACT_REFILL, () -> Story.of(FULL - 10).pass(5).claimsTo(FULL, 10 - 30));
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(FULL - 10).pass(5).givingBack(29).claimsTo(FULL - 41, 10 - 30 + 40));
  }

  @Test
  void claim_afterATransaction_mayRestOnABalanceThatNeverWas() {
    Story story = Story.of(FULL - 100);
    story.settling(70).takes(70); // which the transaction's writer has not seen
    story.pass(10).jointly().claimsTo(FULL - 170 + 10 - 20, 170 + 20);
    story.pass(500).claimsTo(FULL - 70, 190); // as if 110 were missing and not 180
    breaks(
        Promise.EXACT_REFILL,
        () -> {
          Story told = Story.of(FULL - 100);
          told.settling(70).takes(70);
          told.pass(10).claimsTo(FULL - 170 + 10 - 20, 170 + 20);
          told.pass(500).claimsTo(FULL - 70, 190);
        });
  }

  @Test
  void unlocked_balanceAndTotalDoNotMatch_breaks() {
    Story.of(1_000).takes(400);
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(1_000).becomes(T, new LimitState(RPM, 601, FULL - 600)));
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(1_000).becomes(T, new LimitState(RPM, 599, FULL - 600)));
  }

  @Test
  void limits_changed_earnAtTheOldRateAndAreCutToTheNewCeiling() {
    Limit half = Limit.perMinute("rpm", 30);
    Limit twice = Limit.perMinute("rpm", 120);
    long at = T + 1_000;
    Story.of(20_000).pass(1_000).becomes(at, new LimitState(twice, 21_000, FULL - 20_000));
    Story.of(50_000).pass(1_000).becomes(at, new LimitState(half, 30_000, FULL - 50_000));
    breaks(
        Promise.EXACT_REFILL,
        () ->
            Story.of(20_000).pass(1_000).becomes(at, new LimitState(twice, 22_000, FULL - 20_000)));
    breaks(
        Promise.EXACT_REFILL,
        () ->
            Story.of(20_000)
                .pass(1_000)
                .becomes(at, new LimitState(twice, 120_000, FULL - 20_000)));
  }

  @Test
  void added_full_lessWhatIsTaken() {
    Limit tpm = Limit.perMinute("tpm", 10);
    LimitState rpm = new LimitState(RPM, 1_010, FULL - 1_000);
    Story.of(1_000).pass(10).becomes(T + 10, rpm, new LimitState(tpm, 9_000, 1_000));
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(1_000).pass(10).becomes(T + 10, rpm, new LimitState(tpm, 9_001, 1_000)));
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(1_000).pass(10).becomes(T + 10, rpm, new LimitState(tpm, 8_999, 1_000)));
    breaks(
        Promise.NEVER_NEGATIVE,
        () -> Story.of(1_000).pass(10).becomes(T + 10, rpm, new LimitState(tpm, -1, 10_001)));
  }

  @Test
  void removed_onceItIsFull_passes() {
    LimitState tpm = LimitState.full(Limit.perMinute("tpm", 10));
    Story.of(FULL - 10).pass(10).becomes(T + 10, tpm);
    breaks(Promise.EXACT_REFILL, () -> Story.of(FULL - 11).pass(10).becomes(T + 10, tpm));
  }

  @Test
  void removed_becauseStoredLimitsNoLongerHaveIt_passes() {
    Story.of(0).pass(10).becomes(T + 10, STORED, LimitState.full(Limit.perMinute("tpm", 10)));
  }

  @Test
  void operator_fills_upToTheCeilingAndNoFurther() {
    Story.of(0).pass(10).operator().claimsTo(FULL, FULL);
    breaks(Promise.EXACT_REFILL, () -> Story.of(0).pass(10).operator().claimsTo(FULL + 1, FULL));
    breaks(Promise.EXACT_REFILL, () -> Story.of(0).pass(10).operator().claimsTo(9, FULL));
    breaks(Promise.EXACT_REFILL, () -> Story.of(0).pass(10).claimsTo(FULL, FULL));
  }

  @Test
  void operator_charges_breaks() {
    breaks(Promise.NOTHING_LOST, () -> Story.of(100).pass(10).operator().claimsTo(60, FULL - 50));
  }

  @Test
  void operator_changesLimitsAndFills_breaks() {
    Limit twice = Limit.perMinute("rpm", 120);
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(0).pass(10).operator().becomes(T + 10, new LimitState(twice, FULL, FULL)));
  }

  @Test
  void acquire_leavesADebt_breaks() {
    Story.of(100).takes(100);
    breaks(Promise.NEVER_NEGATIVE, () -> Story.of(100).takes(101));
    breaks(Promise.NEVER_NEGATIVE, () -> Story.of(100).pass(10).claims(111));
  }

  @Test
  void settlement_leavesADebt_passesUpToWhatWasSettled() {
    Story.of(100).settling(400).takes(400);
    breaks(Promise.NEVER_NEGATIVE, () -> Story.of(100).settling(399).takes(400));
  }

  @Test
  void acquire_togetherWithASettlement_leavesNoDebt() {
    Story.of(500).settling(400).takes(500);
    breaks(Promise.NEVER_NEGATIVE, () -> Story.of(500).settling(400).takes(501));
  }

  @Test
  void acquire_inDebt_breaks() {
    Story story = Story.of(0);
    story.settling(1_000).takes(1_000);
    breaks(Promise.NEVER_NEGATIVE, () -> story.pass(400).claims(400));
    story.pass(0).claims(0);
  }

  @Test
  void softLimit_anyCharge_passes() {
    Limit soft = RPM.asSoft();
    Story story = new Story();
    story.becomes(T, new LimitState(soft, 0, FULL));
    story.becomes(T, new LimitState(soft, -5_000, FULL + 5_000));
  }

  @Test
  void softLimit_turnedHard_isBelievedSoftByThoseUnderWayAndNotForEver() {
    Limit soft = RPM.asSoft();
    Story story = new Story();
    story.becomes(T, new LimitState(soft, 100, FULL - 100));
    story.pass(10).becomes(T + 10, new LimitState(RPM, 110, FULL - 100));
    story.takes(200);
    breaks(Promise.NEVER_NEGATIVE, () -> story.pass(60_000).claims(60_001));
  }

  @Test
  void stamp_switchedOff_admitsNothing() {
    ConfigStamp off =
        new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 1), true);
    Story story = Story.of(100);
    story.pass(1).becomes(T + 1, off, new LimitState(RPM, 101, FULL - 100));
    breaks(Promise.CHANGES_ARRIVE, () -> story.takes(1));
    story.settling(1).takes(1);
  }

  @Test
  void stamp_takenBack_breaks() {
    Story story = Story.of(100);
    story.pass(1).becomes(T + 1, STORED, new LimitState(RPM, 101, FULL - 100));
    breaks(
        Promise.CHANGES_ARRIVE,
        () -> story.pass(1).becomes(T + 2, ConfigStamp.CALL, new LimitState(RPM, 102, FULL - 100)));
  }
}
