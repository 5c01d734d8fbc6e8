package dev.millrace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit.Refill;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitNotationTest {
  @ParameterizedTest
  @CsvSource({
    "rpm:100, rpm:100/min",
    "rpm:100/1min, rpm:100/min",
    "rpm:100/min:100, rpm:100/min",
    "rpm:100/90sec, rpm:100/90sec",
    "rpm:100/120sec, rpm:100/2min",
    "rpm:100/24hour, rpm:100/day",
    "tpm:1000/hour:5000, tpm:1000/hour:5000",
    "tpm:1000/hour:5, tpm:1000/hour:5",
    "a.b-c_d:1/366day, a.b-c_d:1/366day",
    "tpm:1000:soft, tpm:1000/min:soft",
    "tpm:1000/min:soft, tpm:1000/min:soft",
    "tpm:1000/min:1000:soft, tpm:1000/min:soft",
    "tpm:1000/min:2000:soft, tpm:1000/min:2000:soft",
    "soft:1/2hour:soft, soft:1/2hour:soft"
  })
  void format_parsedText_isTheShortestThatReadsBack(String text, String shortest) {
    Limit limit = LimitNotation.parse(text);

    assertThat(limit).hasToString(shortest);
    assertThat(LimitNotation.parse(shortest)).isEqualTo(limit);
  }

  @Test
  void parse_burstBelowTheRate_isTheCapacityToo() {
    assertThat(LimitNotation.parse("rpm:100/min:10"))
        .isEqualTo(Limit.custom("rpm", 10, 100, Duration.ofMinutes(1)));
  }

  @Test
  void parse_burstAboveTheRate_leavesTheCapacity() {
    assertThat(LimitNotation.parse("rpm:100/min:500"))
        .isEqualTo(Limit.perMinute("rpm", 100).withBurst(500));
  }

  @Test
  void parse_soft_isTheSameLimitThatOnlyMeters() {
    assertThat(LimitNotation.parse("tpm:1000/min:2000:soft"))
        .isEqualTo(Limit.perMinute("tpm", 1_000).withBurst(2_000).asSoft());
    assertThat(LimitNotation.parse("tpm:1000/min:2000").soft()).isFalse();
  }

  /** For messages only: such limits are not written by hand. */
  @Test
  void format_fractions_areShownAllTheSame() {
    assertThat(new Limit("rpm", 1_500, 2_000, Refill.of(1_250, 1_500)))
        .hasToString("rpm:1.25/1500ms:2");
  }
}
