package dev.millrace.client.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Settlement;
import dev.millrace.TimeSource;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Adjustments that leave with a later write. */
class DeferredSettlementTest {
  private static final AcquireRequest TEN =
      AcquireRequest.of("key-1", "gpt-4").limits(Limit.perMinute("tpm", 1_000)).consume("tpm", 10);

  private final Ahead ahead = new Ahead();
  private final RateLimiter limiter =
      ahead.limiter(LimiterOptions.builder().settlement(Settlement.DEFERRED));

  private void closeWith(AcquireRequest request, long adjustment) {
    Lease lease = Ahead.acquire(limiter, request);
    lease.adjust("tpm", adjustment);
    lease.closeAsync().toCompletableFuture().join();
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
    Lease lease = Ahead.acquire(limiter, TEN);
    limiter.close();
    lease.adjust("tpm", 7);

    lease.closeAsync().toCompletableFuture().join();

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

  /** While one amount is written, another thread defers one: no lock is held meanwhile. */
  @Test
  void close_timerGoesOffWhileItIsSet_writesWithoutALock() {
    ManualClock clock = new ManualClock(1_800_000_000_000L);
    AtomicBoolean hurries = new AtomicBoolean();
    FaultyStore faults = FaultyStore.over(ahead.contents);
    RateLimiter hurried =
        RateLimiter.createAsync(
            faults,
            LimiterOptions.builder()
                .settlement(Settlement.DEFERRED)
                .time(new HurriedTime(clock, hurries))
                .build());
    Lease lease = Ahead.acquire(hurried, TEN);
    Lease other =
        Ahead.acquire(
            hurried,
            AcquireRequest.of("key-2", "gpt-4")
                .limits(Limit.perMinute("tpm", 1_000))
                .consume("tpm", 10));
    lease.adjust("tpm", 5);
    other.adjust("tpm", 7);
    AtomicBoolean othersClosed = new AtomicBoolean();
    faults.once(
        Calls.writes(),
        Fault.before(
            () -> {
              Await.result(Background.start(() -> Await.result(other.closeAsync())).result());
              othersClosed.set(true);
            }));

    hurries.set(true);
    lease.closeAsync().toCompletableFuture().join();
    hurries.set(false);

    assertThat(othersClosed).isTrue();
    clock.advance(Duration.ofSeconds(1));
    assertThat(ahead.limit("tpm").consumedMilli()).isEqualTo(15_000);
    assertThat(hurried.metrics().settlementsPending()).isZero();
    hurried.close();
  }

  /** Every timer that it sets has gone off before its caller sees it. */
  private record HurriedTime(ManualClock clock, AtomicBoolean hurries) implements TimeSource {
    @Override
    public long nowMs() {
      return clock.nowMs();
    }

    @Override
    public long elapsedMs() {
      return clock.elapsedMs();
    }

    @Override
    public CompletableFuture<Void> after(long delayMs) {
      CompletableFuture<Void> timer = clock.after(delayMs);
      if (hurries.get()) {
        clock.advance(Duration.ofMillis(delayMs));
      }
      return timer;
    }
  }
}
