package dev.millrace.tests.ahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.client.AsyncLease;
import dev.millrace.client.AsyncRateLimiter;
import dev.millrace.client.LimiterOptions;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.Settlement;
import org.junit.jupiter.api.Test;

/** Adjustments that leave with a later write. */
class DeferredSettlementTest {
  private static final AcquireRequest TEN =
      AcquireRequest.of("key-1", "gpt-4").limits(Limit.perMinute("tpm", 1_000)).consume("tpm", 10);

  private final Ahead ahead = new Ahead();
  private final AsyncRateLimiter limiter =
      ahead.limiter(LimiterOptions.builder().settlement(Settlement.DEFERRED));

  private void closeWith(AcquireRequest request, long adjustment) {
    AsyncLease lease = Ahead.acquire(limiter, request);
    lease.adjust("tpm", adjustment);
    lease.close().toCompletableFuture().join();
  }

  @Test
  void close_deferred_writesNothingYet() {
    closeWith(TEN, 5);

    assertThat(ahead.writes()).isEqualTo(1);
    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(10_000);
  }

  @Test
  void close_deferred_leavesWithTheNextAcquire() {
    closeWith(TEN, 5);
    closeWith(TEN, -3);
    Ahead.acquire(limiter, TEN);

    assertThat(ahead.writes()).isEqualTo(3);
    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(32_000);
  }

  @Test
  void close_deferredAndNoTraffic_isWrittenWithinTheDelay() {
    closeWith(TEN, 5);
    ahead.tick(999);
    assertThat(ahead.writes()).isEqualTo(1);

    ahead.tick(1);

    assertThat(ahead.writes()).isEqualTo(2);
    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(15_000);
    ahead.tick(5_000);
    assertThat(ahead.writes()).isEqualTo(2);
  }

  @Test
  void limiterCloses_deferredAdjustments_areWritten() {
    closeWith(TEN, 5);

    limiter.close();

    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(15_000);
  }

  @Test
  void close_requestWantsItNow_isDurableWhenItReturns() {
    closeWith(TEN.settlement(Settlement.IMMEDIATE), 5);

    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(15_000);
  }

  @Test
  void close_limiterIsClosed_isWrittenAtOnce() {
    AsyncLease lease = Ahead.acquire(limiter, TEN);
    limiter.close();
    lease.adjust("tpm", 7);

    lease.close().toCompletableFuture().join();

    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(17_000);
  }

  @Test
  void close_otherLimits_areNotMixedUp() {
    closeWith(TEN, 5);
    AcquireRequest other =
        AcquireRequest.of("key-1", "gpt-4")
            .limits(Limit.perMinute("tpm", 2_000))
            .consume("tpm", 10);
    closeWith(other, 2);
    limiter.close();

    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(27_000);
  }
}
