package dev.millrace.client.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import org.junit.jupiter.api.Test;

/**
 * An empty bucket of 1,000 a day whose limit is raised to 1,000 a second. A refusal used to write
 * nothing, so the bucket went on earning at the old rate: the caller was told half a second and was
 * refused for twelve hours.
 */
class RaisedLimitTest {
  private final Ahead ahead = new Ahead();
  private final RateLimiter limiter = ahead.limiter(LimiterOptions.builder());

  private static AcquireRequest request(Limit limit, long tokens) {
    return AcquireRequest.of("key-1", "gpt-4").limits(limit).consume("t", tokens);
  }

  @Test
  void acquire_limitRaisedWhileEmpty_isAdmittedAfterTheTimeItWasTold() {
    Ahead.acquire(limiter, request(Limit.perDay("t", 1_000), 1_000));
    ahead.tick(1);
    AcquireRequest raised = request(Limit.perSecond("t", 1_000), 500);

    Acquisition.Refused refused =
        (Acquisition.Refused) limiter.tryAcquireAsync(raised).toCompletableFuture().join();
    assertThat(refused.rejection().retryAfterMs()).isEqualTo(500);
    ahead.tick(500);

    assertThat(Ahead.admitted(limiter, raised)).isTrue();
  }

  @Test
  void acquire_limitsAreTakenOn_furtherRefusalsCostNothing() {
    Ahead.acquire(limiter, request(Limit.perDay("t", 1_000), 1_000));
    AcquireRequest raised = request(Limit.perSecond("t", 1_000), 500);
    Ahead.admitted(limiter, raised);
    int calls = ahead.store.roundTrips();

    Ahead.admitted(limiter, raised);

    assertThat(ahead.store.roundTrips()).isEqualTo(calls);
  }
}
