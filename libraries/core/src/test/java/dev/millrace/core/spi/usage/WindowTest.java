package dev.millrace.core.spi.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneId;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowTest {
  @ParameterizedTest
  @CsvSource({
    "hour, 2026-11-15T20:59:59.999Z, 2026-11-15T20:00Z, 2026-11-15T21:00Z",
    "day, 2026-11-15T20:59:59.999Z, 2026-11-15T00:00Z, 2026-11-16T00:00Z",
    "month, 2026-11-15T20:59:59.999Z, 2026-11-01T00:00Z, 2026-12-01T00:00Z",
    "month, 2028-02-29T12:00:00Z, 2028-02-01T00:00Z, 2028-03-01T00:00Z",
    "day@Europe/Berlin, 2026-11-15T23:30:00Z, 2026-11-15T23:00Z, 2026-11-16T23:00Z",
    // 25 hours, 23 hours
    "day@Europe/Berlin, 2026-10-25T12:00:00Z, 2026-10-24T22:00Z, 2026-10-25T23:00Z",
    "day@Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-28T23:00Z, 2026-03-29T22:00Z",
    // The hour from two to three comes twice.
    "hour@Europe/Berlin, 2026-10-25T00:30:00Z, 2026-10-25T00:00Z, 2026-10-25T01:00Z",
    "hour@Europe/Berlin, 2026-10-25T01:30:00Z, 2026-10-25T01:00Z, 2026-10-25T02:00Z",
    "hour@Asia/Kolkata, 2026-10-25T01:15:00Z, 2026-10-25T00:30Z, 2026-10-25T01:30Z",
    // Half an hour comes twice: that hour has 90 minutes.
    "hour@Australia/Lord_Howe, 2026-04-04T15:15:00Z, 2026-04-04T14:00Z, 2026-04-04T15:30Z",
    // There is no midnight.
    "day@America/Havana, 2026-03-08T12:00:00Z, 2026-03-08T05:00Z, 2026-03-09T04:00Z",
    // A minute after midnight it was yesterday again: the day had begun.
    "day@America/St_Johns, 2010-11-07T03:00:00Z, 2010-11-07T02:30Z, 2010-11-08T03:30Z",
  })
  void startOf_andNext(String window, String time, String start, String next) {
    Window cut = Window.parse(window);
    long startMs = cut.startOf(Instant.parse(time).toEpochMilli());
    assertThat(UsageKey.startText(startMs)).isEqualTo(start);
    assertThat(UsageKey.startText(cut.next(startMs))).isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hour",
        "day",
        "month",
        "hour@Australia/Lord_Howe",
        "day@America/St_Johns",
        "month@Pacific/Apia",
        "day@Pacific/Apia",
        "hour@Asia/Kathmandu",
        "day@Asia/Beirut"
      })
  void startOf_anyTime_isInExactlyOnePiece(String text) {
    Window window = Window.parse(text);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 2_000; i++) {
      long timeMs = random.nextLong(Window.MIN_TIME_MS + 3_000_000_000L, 2_000_000_000_000L);
      long startMs = window.startOf(timeMs);
      assertThat(startMs).isLessThanOrEqualTo(timeMs);
      assertThat(window.next(startMs)).isGreaterThan(timeMs);
      assertThat(window.startOf(startMs)).isEqualTo(startMs);
      assertThat(window.startOf(window.next(startMs))).isEqualTo(window.next(startMs));
      assertThat(UsageKey.parseStart(UsageKey.startText(startMs))).isEqualTo(startMs);
    }
  }

  @Test
  void parse_utcHasOneName() {
    assertThat(Window.parse("day")).isEqualTo(Window.DAY);
    assertThat(new Window(Window.Unit.DAY, ZoneId.of("UTC"))).isEqualTo(Window.DAY);
    assertThat(new Window(Window.Unit.DAY, ZoneId.of("Etc/UTC"))).hasToString("day");
    assertThat(Window.parse("hour@Europe/Berlin")).hasToString("hour@Europe/Berlin");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "week", "Day", "day@", "day@UTC", "day@Nowhere/City", "day@#", "@", "day "})
  void parse_others_areRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Window.parse(text));
  }

  @Test
  void startOf_longAgo_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Window.DAY.startOf(0));
    assertThatIllegalArgumentException().isThrownBy(() -> Window.DAY.startOf(Long.MAX_VALUE));
  }

  @Test
  void sequenceNumbers_areInTheOrderOfNumbers() {
    assertThat(SequenceNumber.of("10").isAfter(SequenceNumber.of("9"))).isTrue();
    assertThat(SequenceNumber.of("007")).isEqualTo(SequenceNumber.of("7"));
    for (String bad : new String[] {"", "-1", "1.0", "x", "1".repeat(41), "٣"}) {
      assertThatIllegalArgumentException().isThrownBy(() -> SequenceNumber.of(bad));
    }
  }
}
