package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A future that its caller cancels: nobody holds the lease, so nobody pays for it. */
class CancellationTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Bench bench = new Bench();
  private final RateLimiter limiter = RateLimiter.createAsync(bench.calls, bench.options().build());

  private CompletableFuture<Lease> acquire(long amount, Duration maxWait) {
    return limiter.acquireAsync(Bench.rpm(amount), maxWait).toCompletableFuture();
  }

  @Test
  void cancel_writeUnderWay_givesTheChargeBack() {
    Await.result(limiter.acquireAsync(Bench.rpm(1)));
    Gate gate = new Gate();
    bench.faults.once(Calls.writes(), Fault.holdReply(gate));
    CompletableFuture<Lease> lease = limiter.acquireAsync(Bench.rpm(4)).toCompletableFuture();
    assertThat(bench.balanceMilli("rpm")).isEqualTo(5_000);

    assertThat(lease.cancel(false)).isTrue();
    gate.open();

    assertThat(bench.balanceMilli("rpm")).isEqualTo(9_000);
    assertThat(bench.consumedMilli("rpm")).isEqualTo(1_000);
  }

  @Test
  void cancel_tryAcquireUnderWay_givesTheChargeBack() {
    Gate gate = new Gate();
    bench.faults.once(Calls.writes(), Fault.holdRequest(gate));
    CompletableFuture<Acquisition> answer =
        limiter.tryAcquireAsync(Bench.rpm(4)).toCompletableFuture();

    answer.cancel(false);
    gate.open();

    assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
  }

  @Test
  void cancel_queuedBehindAWrite_givesTheChargeBack() {
    Await.result(limiter.acquireAsync(Bench.rpm(1)));
    Gate gate = new Gate();
    bench.faults.once(Calls.writes(), Fault.holdReply(gate));
    CompletableFuture<Lease> first = limiter.acquireAsync(Bench.rpm(1)).toCompletableFuture();
    CompletableFuture<Lease> queued = limiter.acquireAsync(Bench.rpm(3)).toCompletableFuture();

    queued.cancel(false);
    gate.open();

    assertThat(Await.result(first).consumed("rpm")).isEqualTo(1);
    assertThat(bench.balanceMilli("rpm")).isEqualTo(8_000);
  }

  @Test
  void cancel_alreadyGranted_changesNothing() {
    CompletableFuture<Lease> lease = limiter.acquireAsync(Bench.rpm(4)).toCompletableFuture();

    assertThat(lease.cancel(false)).isFalse();
    assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
  }

  @Test
  void cancel_firstOfTheLine_letsTheNextAsk() {
    Await.result(limiter.acquireAsync(Bench.rpm(10)));
    CompletableFuture<Lease> large = acquire(10, LONG);
    CompletableFuture<Lease> small = acquire(1, LONG.plusMinutes(5));
    bench.advance(12_000);
    assertThat(small).as("it waits its turn").isNotDone();

    large.cancel(false);

    assertThat(Await.result(small).consumed("rpm")).isEqualTo(1);
    bench.clock.advance(LONG);
    assertThat(bench.consumedMilli("rpm")).as("the first never came back").isEqualTo(11_000);
  }

  @Test
  void cancel_inTheMiddleOfTheLine_keepsTheOrderOfTheOthers() {
    Await.result(limiter.acquireAsync(Bench.rpm(10)));
    CompletableFuture<Lease> first = acquire(1, LONG);
    CompletableFuture<Lease> second = acquire(1, LONG);
    CompletableFuture<Lease> third = acquire(1, LONG);

    second.cancel(false);
    bench.advance(6_000);
    assertThat(first).isCompleted();
    assertThat(third).isNotDone();
    bench.advance(6_000);

    assertThat(third).isCompleted();
    assertThat(bench.consumedMilli("rpm")).isEqualTo(12_000);
  }

  @Test
  void cancel_firstOfTheLineWhileItAsks_givesTheChargeBackAndServesTheNext() {
    Await.result(limiter.acquireAsync(Bench.rpm(9)));
    Gate gate = new Gate();
    bench.faults.once(Calls.writes(), Fault.holdReply(gate));
    CompletableFuture<Lease> first = acquire(1, LONG);
    CompletableFuture<Lease> second = acquire(1, LONG);

    first.cancel(false);
    gate.open();
    bench.clock.advance(LONG);

    assertThat(second).isCompleted();
    assertThat(bench.consumedMilli("rpm")).isEqualTo(10_000);
  }
}
