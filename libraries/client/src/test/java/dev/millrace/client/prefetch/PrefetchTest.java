package dev.millrace.client.prefetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.AdmissionLog;
import dev.millrace.core.spi.plan.PlanSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens that are charged ahead of their use. */
class PrefetchTest {
  private static final Limit RPS = Limit.perSecond("rps", 10_000);
  private static final AcquireRequest ONE =
      AcquireRequest.of("key-1", "gpt-4").limits(RPS).consume("rps", 1);

  private final Ahead ahead = new Ahead();

  private RateLimiter prefetching() {
    return ahead.limiter(LimiterOptions.builder().prefetch(true));
  }

  /** Five requests a millisecond. */
  private int run(RateLimiter limiter, int millis) {
    int admitted = 0;
    for (int i = 0; i < millis; i++) {
      for (int j = 0; j < 5; j++) {
        admitted += Ahead.admitted(limiter, ONE) ? 1 : 0;
      }
      ahead.tick(1);
    }
    return admitted;
  }

  @Test
  void acquire_busyBucket_isServedFromMemory() {
    RateLimiter limiter = prefetching();

    int admitted = run(limiter, 400);

    assertThat(admitted).isEqualTo(2_000);
    assertThat(ahead.writes()).isLessThan(200);
  }

  @Test
  void acquire_withoutPrefetch_writesEachTime() {
    RateLimiter limiter = ahead.limiter(LimiterOptions.builder());

    run(limiter, 40);

    assertThat(ahead.writes()).isEqualTo(200);
  }

  @Test
  void acquire_requestOptsOut_isNotServedFromMemory() {
    RateLimiter limiter = prefetching();
    run(limiter, 100);
    int before = ahead.writes();

    assertThat(Ahead.admitted(limiter, ONE.prefetch(false))).isTrue();

    assertThat(ahead.writes()).isEqualTo(before + 1);
  }

  @Test
  void charge_alwaysComesBeforeTheUse() {
    RateLimiter limiter = prefetching();
    for (int i = 1; i <= 1_000; i++) {
      Ahead.admitted(limiter, ONE);
      assertThat(ahead.limit("rps").consumedMilli()).isGreaterThanOrEqualTo(i * Limit.MILLI);
      ahead.tick(i % 5 == 0 ? 1 : 0);
    }
  }

  @Test
  void leftovers_trafficStops_goBackAtOnceAfterTheWindow() {
    RateLimiter limiter = prefetching();
    int admitted = run(limiter, 200);
    assertThat(ahead.limit("rps").consumedMilli()).isGreaterThan(admitted * Limit.MILLI);

    ahead.tick(25);

    assertThat(ahead.limit("rps").consumedMilli()).isEqualTo(admitted * Limit.MILLI);
  }

  @Test
  void leftovers_limiterCloses_goBack() {
    RateLimiter limiter = prefetching();
    int admitted = run(limiter, 200);

    limiter.close();

    assertThat(ahead.limit("rps").consumedMilli()).isEqualTo(admitted * Limit.MILLI);
  }

  @Test
  void order_bucketBelowTheFraction_isNotTaken() {
    RateLimiter limiter = prefetching();
    run(limiter, 100);
    ahead.tick(25);
    AcquireRequest most = AcquireRequest.of("key-1", "gpt-4").limits(RPS).consume("rps", 6_000);
    Ahead.acquire(limiter, most.prefetch(false));
    long before = ahead.limit("rps").consumedMilli();

    int admitted = run(limiter, 40);

    assertThat(ahead.limit("rps").consumedMilli()).isEqualTo(before + admitted * Limit.MILLI);
  }

  @Test
  void twoProcesses_oneWithoutPrefetch_bothAreServedWhenTokensAreScarce() {
    RateLimiter greedy = prefetching();
    RateLimiter modest = ahead.limiter(LimiterOptions.builder());
    int served = 0;
    for (int ms = 0; ms < 2_000; ms++) {
      int first = ms % 2 == 0 ? 40 : 0; // four times what the limit allows, before or after
      for (int j = 0; j < 45; j++) {
        if (j >= first && j < first + 5) {
          served += Ahead.admitted(modest, ONE) ? 1 : 0;
        } else {
          Ahead.admitted(greedy, ONE);
        }
      }
      ahead.tick(1);
    }
    int fairShare = 2_000 * 5;
    assertThat(served).isGreaterThan(fairShare / 3);
  }

  @Test
  void manyPrefetchers_bucketFillsWhileTheyHoldTokens_neverExceedTheBound() {
    Limit scarce = Limit.perSecond("rps", 1_000);
    AcquireRequest one = ONE.limits(scarce);
    for (int idleMs : new int[] {1, 15, 25, 400, 2_000}) {
      Ahead world = new Ahead();
      List<RateLimiter> processes = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        processes.add(world.limiter(LimiterOptions.builder().prefetch(true)));
      }
      AdmissionLog log = new AdmissionLog();
      for (RateLimiter process : processes) {
        for (int ms = 0; ms < 20; ms++) {
          world.call(process, one, 2, log);
          world.tick(1);
        }
      }
      world.tick(idleMs);
      for (RateLimiter process : processes) {
        world.call(process, one, 300, log); // everything that it holds, and what is in the bucket
      }
      assertThat(log.worstRatio(scarce, 100, 0)).as("after %s ms", idleMs).isLessThanOrEqualTo(1.0);
    }
  }

  @Test
  void prefetch_longerHorizon_widensTheGrain() {
    LimiterOptions options = LimiterOptions.builder().prefetch(Duration.ofMillis(50)).build();
    assertThat(options.refillGrain().toMillis()).isEqualTo(250);
    assertThat(PlanSettings.of(options).prefetchWindowMs()).isEqualTo(50);
    assertThatThrownBy(() -> LimiterOptions.builder().prefetchFraction(1.5).build())
        .hasMessage("prefetchFraction 1.5 must be above 0 and at most 0.9");
  }
}
