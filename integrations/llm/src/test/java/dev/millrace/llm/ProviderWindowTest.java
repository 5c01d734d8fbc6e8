package dev.millrace.llm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The amount that passes a preset in a window, for a caller that asks for as much as it gets. */
class ProviderWindowTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long MANY = 1_000_000;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 15, 100})
  void gemini_askedAllTheTime_neverPassesMoreThanItsNumberInAMinute(long rpm) {
    Limit limit = limit("rpm", ProviderPreset.gemini(rpm, MANY, MANY));

    assertThat(mostWithin(MINUTE, limit, Duration.ofMillis(100), 1)).isBetween(rpm - 1, rpm);
  }

  @Test
  void gemini_askedAllDay_neverPassesMoreThanItsNumberInADay() {
    Limit limit = limit("rpd", ProviderPreset.gemini(MANY, MANY, 50));

    assertThat(mostWithin(Duration.ofDays(1), limit, Duration.ofMinutes(1), 1)).isBetween(49L, 50L);
  }

  @Test
  void bedrock_calledWithManyTokens_neverPassesMoreThanItsNumberInAMinute() {
    Limit limit = limit("tpm", ProviderPreset.bedrock(MANY, 10_000));

    assertThat(mostWithin(MINUTE, limit, Duration.ofMillis(100), 10)).isBetween(9_900L, 10_020L);
    assertThat(limit.burstMilli()).isEqualTo(5_000 * Limit.MILLI);
  }

  /** What {@link Limit#perDay} and the first page of the documents say of such limits. */
  @Test
  void perDay_threeADayAskedAllTheTime_fiveFitIntoADay() {
    Limit limit = Limit.perDay("calls", 3);

    assertThat(mostWithin(Duration.ofDays(1), limit, Duration.ofMinutes(1), 1)).isEqualTo(5);
  }

  private static Limit limit(String name, ProviderPreset preset) {
    return preset.limits().get(preset.limits().indexOf(name));
  }

  /** The most tokens that were admitted in a window, of five that begin with a full bucket. */
  private static long mostWithin(Duration window, Limit limit, Duration step, long tokens) {
    ManualClock clock = new ManualClock(1_700_000_000_000L);
    LimiterOptions options =
        LimiterOptions.builder().time(clock).partitionWriteUnits(1_000_000).build();
    Deque<Long> admitted = new ArrayDeque<>();
    int most = 0;
    try (RateLimiter limiter = RateLimiter.create(new InMemoryStore(), options)) {
      AcquireRequest request =
          AcquireRequest.of("key", "model").limits(limit).consume(limit.name(), tokens);
      long end = clock.nowMs() + 5 * window.toMillis();
      while (clock.nowMs() < end) {
        while (limiter.tryAcquire(request) instanceof Acquisition.Granted granted) {
          granted.lease().close();
          admitted.add(clock.nowMs());
        }
        while (!admitted.isEmpty() && admitted.peek() <= clock.nowMs() - window.toMillis()) {
          admitted.remove();
        }
        most = Math.max(most, admitted.size());
        clock.advance(step);
      }
    }
    return most * tokens;
  }
}
