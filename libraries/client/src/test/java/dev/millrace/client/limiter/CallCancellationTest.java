package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.RateLimiter;
import dev.millrace.client.support.Bench;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An asynchronous {@code call} whose caller cancels it: what it was charged is given back. */
class CallCancellationTest {
  private final Bench bench = new Bench();
  private final RateLimiter limiter = RateLimiter.createAsync(bench.calls, bench.options().build());
  private final AtomicInteger bodies = new AtomicInteger();

  private CompletableFuture<String> call(CompletableFuture<String> work) {
    return limiter
        .callAsync(
            Bench.rpm(4),
            lease -> {
              bodies.incrementAndGet();
              return work;
            })
        .toCompletableFuture();
  }

  @Test
  void cancel_acquireUnderWay_givesBackAndDoesNotRunTheBody() {
    Gate gate = new Gate();
    bench.faults.once(Calls.writes(), Fault.holdReply(gate));
    CompletableFuture<String> call = call(new CompletableFuture<>());

    assertThat(call.cancel(false)).isTrue();
    gate.open();

    assertThat(bodies).hasValue(0);
    assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
  }

  @Test
  void cancel_bodyUnderWay_cancelsItsStageAndGivesBack() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> call = call(work);
    assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);

    assertThat(call.cancel(false)).isTrue();

    assertThat(work).isCancelled();
    assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
  }

  @Test
  void timesOut_bodyUnderWay_givesBack() {
    CompletableFuture<String> work = new CompletableFuture<>();

    assertThat(call(work).completeExceptionally(new TimeoutException())).isTrue();

    assertThat(work).isCancelled();
    assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
  }

  /** A body that forgets to give a stage has failed; it must neither hang nor stay charged. */
  @Test
  void bodyGivesNoStage_failsAndGivesBack() {
    CompletableFuture<String> call =
        limiter.<String>callAsync(Bench.rpm(4), lease -> nothing()).toCompletableFuture();

    assertThat(call).isCompletedExceptionally();
    assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
  }

  @SuppressWarnings("NullAway") // what a program without null checks may do
  private static <T> CompletionStage<T> nothing() {
    return null;
  }

  @Test
  void bodySucceeds_isSettledAndNotCancelled() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> call = call(work);

    work.complete("done");

    assertThat(call).isCompletedWithValue("done");
    assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
  }
}
