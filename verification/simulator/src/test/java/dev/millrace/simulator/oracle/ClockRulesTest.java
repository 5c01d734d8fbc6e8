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
import org.junit.jupiter.api.Test;

class ClockRulesTest {
  private static final LimitState EMPTY = new LimitState(RPM, 0, FULL);

  @Test
  void created_atTheWritersTime_passes() {
    new Story().fast(700).becomes(T + 700, LimitState.full(RPM));
  }

  @Test
  void created_beforeOrAheadOfTheWritersTime_breaks() {
    breaks(Promise.EXACT_REFILL, () -> new Story().becomes(T + 1, LimitState.full(RPM)));
    breaks(Promise.EXACT_REFILL, () -> new Story().becomes(T - 1_000, LimitState.full(RPM)));
  }

  @Test
  void created_sentAgainAfterASecond_passesInATransactionAlone() {
    new Story().jointly().becomes(T - 1_000, LimitState.full(RPM));
    breaks(
        Promise.EXACT_REFILL,
        () -> new Story().jointly().becomes(T - 60_000, LimitState.full(RPM)));
  }

  @Test
  void claim_aheadOfTheWritersTime_breaks() {
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(0).pass(10).becomes(T + 11, new LimitState(RPM, 11, FULL)));
  }

  @Test
  void claim_asFarAheadAsAFasterWriterBefore_passes() {
    Story story = Story.of(0);
    story.pass(10).fast(50).claims(0);
    story.pass(10).becomes(T + 70, later(story, 10));
    breaks(Promise.EXACT_REFILL, () -> story.pass(10).becomes(T + 82, later(story, 12)));
  }

  private static LimitState later(Story story, long earnedMilli) {
    LimitState limit = story.limit();
    return new LimitState(RPM, limit.tokensMilli() + earnedMilli, limit.consumedMilli());
  }

  @Test
  void claim_byAFastClock_passes() {
    Story.of(0).pass(10).fast(5_000).claims(0);
  }

  @Test
  void claim_timestampGoesBack_breaks() {
    Story story = Story.of(0);
    story.pass(10).fast(10_000).claims(0);
    breaks(Promise.EXACT_REFILL, () -> story.becomes(story.nowMs(), new LimitState(RPM, 0, FULL)));
  }

  @Test
  void claim_wildTimestampHealedWithoutCredit_passes() {
    Story story = Story.of(0);
    story.pass(10).fast(10_001).claims(0);
    long earnedMilli = story.limit().tokensMilli();
    story.becomes(story.nowMs(), new LimitState(RPM, earnedMilli, FULL));
  }

  @Test
  void claim_wildTimestampHealedWithCredit_breaks() {
    Story story = Story.of(0);
    story.pass(10).fast(10_001).claims(0);
    long earnedMilli = story.limit().tokensMilli();
    breaks(
        Promise.EXACT_REFILL,
        () -> story.becomes(story.nowMs(), new LimitState(RPM, earnedMilli + 1, FULL)));
  }

  @Test
  void claim_wildTimestampHealedToAnotherTimeThanNow_breaks() {
    Story story = Story.of(0);
    story.pass(10).fast(30_000).claims(0);
    LimitState limit = story.limit();
    breaks(Promise.EXACT_REFILL, () -> story.becomes(story.nowMs() - 5_000, limit));
    breaks(Promise.EXACT_REFILL, () -> story.becomes(story.nowMs() + 5_000, limit));
  }

  @Test
  void stamp_changedWithinTheMillisecond_movesTheLockByOne() {
    ConfigStamp later =
        new ConfigStamp(ConfigLevel.RESOURCE, RecordVersions.of(ConfigLevel.SYSTEM, 1), false);
    Story.of(0).becomes(T + 1, later, new LimitState(RPM, 1, FULL));
    breaks(Promise.EXACT_REFILL, () -> Story.of(0).becomes(T, later, EMPTY));
  }

  @Test
  void limits_changedUnderTheSameLock_breaks() {
    Limit other = Limit.perMinute("rpm", 600);
    Story.of(0).becomes(T + 1, new LimitState(other, 1, FULL));
    breaks(Promise.EXACT_REFILL, () -> Story.of(0).becomes(T, new LimitState(other, 0, FULL)));
  }

  @Test
  void operator_underTheSameLock_breaks() {
    Story.of(0).operator().becomes(T + 1, new LimitState(RPM, FULL, FULL));
    breaks(
        Promise.EXACT_REFILL,
        () -> Story.of(0).operator().becomes(T, new LimitState(RPM, FULL, FULL)));
  }

  @Test
  void claim_movesByOneThoughNothingChanges_breaks() {
    breaks(Promise.EXACT_REFILL, () -> Story.of(0).becomes(T + 1, new LimitState(RPM, 1, FULL)));
  }
}
