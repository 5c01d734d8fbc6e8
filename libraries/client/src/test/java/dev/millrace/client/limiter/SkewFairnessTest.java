package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.OffsetTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that ask alike for more than there is get alike, although their clocks differ. */
class SkewFairnessTest {
  private static final long SKEW_MS = 100;
  private static final int OF_EACH_CLOCK = 3;
  private static final int SECONDS = 60;

  private final Bench bench = new Bench();

  @ParameterizedTest
  @CsvSource({
    "100, 50, 0.75, 1.25",
    "50, 50, 0.75, 1.25",
    "20, 100, 0.75, 1.35",
    // Asked about every millisecond, the fastest clocks' lead of one counts.
    "100, 10, 0.55, 1.75"
  })
  void acquire_clocksApart_getLikeShares(
      long perSecond, long meanPauseMs, double least, double most) {
    LimitSet limits = LimitSet.of(Limit.perSecond("rps", perSecond));
    AcquireRequest request = Bench.request(limits).consume("rps", 1);
    List<RateLimiter> processes = new ArrayList<>();
    for (int i = 0; i < 3 * OF_EACH_CLOCK; i++) {
      OffsetTime time = new OffsetTime(bench.clock, (i % 3 - 1) * SKEW_MS);
      processes.add(RateLimiter.createAsync(bench.calls, bench.options().time(time).build()));
    }
    Await.result(processes.get(1).acquireAsync(Bench.request(limits).consume("rps", perSecond)));
    Random random = new Random(42);
    long[] dueMs = new long[processes.size()];
    long[] admitted = new long[3];
    for (long ms = 0; ms < SECONDS * 1_000; ms++) {
      bench.advance(1);
      for (int i = 0; i < dueMs.length; i++) {
        if (ms >= dueMs[i]) {
          dueMs[i] = ms + 1 + (long) (-Math.log(1 - random.nextDouble()) * meanPauseMs);
          Acquisition answer = Await.result(processes.get(i).tryAcquireAsync(request));
          admitted[i % 3] += answer instanceof Acquisition.Granted ? 1 : 0;
        }
      }
    }

    long all = Arrays.stream(admitted).sum();
    assertThat((double) all / (perSecond * SECONDS)).as("of what was due").isBetween(0.95, 1.01);
    for (long share : admitted) {
      assertThat((double) share / all * 3)
          .as("of a fair share: %s", Arrays.toString(admitted))
          .isBetween(least, most);
    }
  }
}
