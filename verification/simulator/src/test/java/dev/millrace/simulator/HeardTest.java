package dev.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeardTest {
  private static final long SECOND = 1_000_000_000;

  private final Heard heard = new Heard();

  @Test
  void leastAgeMs_nothingHeard_isNoAge() {
    assertThat(heard.leastAgeMs(5 * SECOND, 5_000)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void leastAgeMs_clockThatGoesRight_isSinceTheLastReplyUpToThen() {
    heard.reply(SECOND, 1_000);
    heard.reply(2 * SECOND, 2_000);
    heard.reply(3 * SECOND, 3_000);

    assertThat(heard.leastAgeMs(2 * SECOND, 5_000)).isEqualTo(3_000);
    assertThat(heard.leastAgeMs(3 * SECOND - 1, 5_000)).isEqualTo(3_000);
  }

  /** What was heard before seems younger, and younger than what is heard afterwards. */
  @Test
  void leastAgeMs_clockWasSetBack_isAsMuchLess() {
    heard.reply(SECOND, 1_900);
    heard.reply(2 * SECOND, 1_100);

    assertThat(heard.leastAgeMs(2 * SECOND, 2_100)).isEqualTo(200);
  }

  /** A reply that puts the clock right is remembered by the right time. */
  @Test
  void leastAgeMs_replyPutsTheClockRight_isByTheRightTime() {
    heard.reply(SECOND, 13_000);
    heard.corrected(SECOND, 1_000);

    assertThat(heard.leastAgeMs(SECOND, 3_000)).isEqualTo(2_000);
  }
}
