package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.CloseReport;
import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.Limit;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A settlement whose caller waits no longer, because the writes of its bucket take too long. */
class LeftSettlementTest {
  private static final Duration TIMEOUT = Duration.ofMillis(400);
  private static final Duration PATIENT = Duration.ofMinutes(1);

  private final Bench bench = new Bench();
  private final RateLimiter limiter =
      RateLimiter.createAsync(bench.calls, bench.options().timeout(TIMEOUT).build());
  private final Gate first = new Gate();
  private final Gate second = new Gate();

  private static AcquireRequest tpm(long amount) {
    return Bench.request().consume("tpm", amount);
  }

  private Lease acquire(long amount) {
    return Await.result(limiter.acquireAsync(tpm(amount)));
  }

  /** The next write of the bucket waits for {@link #first}, the one after it for the second. */
  private CompletableFuture<Lease> holdWrites() {
    bench.faults.once(Calls.writes(), Fault.holdRequest(first));
    bench.faults.once(Calls.writes(), Fault.holdRequest(second));
    return limiter.acquireAsync(tpm(1)).toCompletableFuture();
  }

  private void assertLeft(Lease lease, CompletableFuture<Void> closed) {
    assertThat(closed).isCompleted();
    assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
    assertThat(lease.isPostponed()).isTrue();
    assertThat(limiter.metrics().settlementsPostponed()).isEqualTo(1);
    assertThat(limiter.metrics().settled()).isZero();
  }

  private void assertWrittenOnce(long tokens) {
    bench.clock.advance(PATIENT);
    assertThat(bench.consumedMilli("tpm")).isEqualTo(tokens * 1_000);
    assertThat(limiter.metrics().settled()).isEqualTo(1);
    assertThat(limiter.metrics().settlementsPending()).isZero();
    assertThat(limiter.metrics().settlementsGivenUp()).isZero();
  }

  @Test
  void close_queuedBehindAWriteThatIsNotAnswered_isLeftToTheLimiterInTime() {
    Lease lease = acquire(10);
    lease.adjust("tpm", 5);
    CompletableFuture<Lease> held = holdWrites();

    CompletableFuture<Void> closed = lease.closeAsync().toCompletableFuture();
    bench.clock.advance(TIMEOUT.minusMillis(1));
    assertThat(closed).isNotDone();
    bench.advance(1);

    assertLeft(lease, closed);
    assertThat(limiter.metrics().settlementsPending()).isEqualTo(1);
    first.open();
    second.open();
    assertThat(held).isCompleted();
    assertWrittenOnce(16);
  }

  @Test
  void cancel_queuedBehindAWriteThatIsNotAnswered_isGivenBackOnce() {
    Lease lease = acquire(10);
    CompletableFuture<Lease> held = holdWrites();

    CompletableFuture<Void> cancelled = lease.cancelAsync().toCompletableFuture();
    bench.clock.advance(TIMEOUT);

    assertThat(cancelled).isCompleted();
    assertThat(lease.isPostponed()).isTrue();
    first.open();
    second.open();
    assertThat(held).isCompleted();
    assertWrittenOnce(1);
  }

  @Test
  void close_itsWriteIsNotAnswered_isLeftToTheLimiterInTime() {
    Lease lease = acquire(10);
    lease.adjust("tpm", 5);
    CompletableFuture<Lease> held = holdWrites();
    CompletableFuture<Void> closed = lease.closeAsync().toCompletableFuture();
    first.open();
    assertThat(held).isCompleted();
    bench.clock.advance(TIMEOUT.minusMillis(1));
    assertThat(closed).isNotDone();
    bench.advance(1);

    assertLeft(lease, closed);
    second.open();
    assertWrittenOnce(16);
  }

  /** The write goes on after its caller has gone: the limiter is closed when that is done. */
  @Test
  void closeLimiter_leftSettlementIsUnderWay_waitsForIt() {
    Lease lease = acquire(10);
    lease.adjust("tpm", 5);
    CompletableFuture<Lease> held = holdWrites();
    CompletableFuture<Void> settled = lease.closeAsync().toCompletableFuture();
    first.open();
    assertThat(held).isCompleted();
    bench.clock.advance(TIMEOUT);
    assertLeft(lease, settled);

    CompletableFuture<CloseReport> closed = limiter.closeAsync(PATIENT).toCompletableFuture();

    assertThat(closed).as("its write is under way").isNotDone();
    second.open();
    assertThat(closed).isCompletedWithValueMatching(CloseReport::isComplete);
    assertThat(bench.consumedMilli("tpm")).isEqualTo(16_000);
  }

  /** Tokens that were charged ahead are waited for: else they would be charged for nobody. */
  @Test
  void closeLimiter_orderOfTokensAheadIsUnderWay_waitsForIt() {
    Duration timeout = Duration.ofMillis(10);
    RateLimiter prefetching =
        RateLimiter.createAsync(
            bench.calls, bench.options().prefetch(true).timeout(timeout).build());
    int served = 0;
    for (int ms = 0; ms < 200; ms++) { // until it charges ahead
      for (int i = 0; i < 5; i++) {
        served += isServed(prefetching) ? 1 : 0;
      }
      bench.advance(1);
    }
    bench.faults.once(Calls.writes(), Fault.holdRequest(first));
    CompletableFuture<Lease> held =
        prefetching.acquireAsync(fast().prefetch(false)).toCompletableFuture();
    int atOnce = 0;
    while (isServed(prefetching)) { // until tokens are ordered, behind the write that is held
      atOnce++;
    }
    bench.faults.once(Calls.writes(), Fault.holdRequest(second));
    first.open();
    assertThat(held).isCompleted();
    bench.clock.advance(timeout);

    CompletableFuture<CloseReport> closed = prefetching.closeAsync(PATIENT).toCompletableFuture();

    assertThat(closed).as("tokens ahead are being charged").isNotDone();
    second.open();
    assertThat(closed).isCompletedWithValueMatching(CloseReport::isComplete);
    assertThat(bench.consumedMilli("tpm")).isEqualTo((served + atOnce + 1) * 1_000L);
  }

  private static AcquireRequest fast() {
    return Bench.request().limits(Limit.perSecond("tpm", 10_000)).consume("tpm", 1);
  }

  private static boolean isServed(RateLimiter prefetching) {
    return prefetching.tryAcquireAsync(fast()).toCompletableFuture().isDone();
  }
}
