package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which methods of a limiter there are on a store that only blocks, or is only asynchronous. */
class StoreKindsTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Bench bench = new Bench();

  private RateLimiter blocking() {
    return RateLimiter.create(
        (call, timeoutMs) -> bench.calls.execute(call, timeoutMs), bench.options().build());
  }

  private RateLimiter async() {
    return RateLimiter.createAsync(
        (call, timeoutMs) -> bench.calls.executeAsync(call, timeoutMs), bench.options().build());
  }

  @Test
  void asyncMethods_storeOnlyBlocks_areRefusedAndChangeNothing() {
    try (RateLimiter limiter = blocking()) {
      AcquireRequest request = Bench.rpm(1);
      Lease lease = limiter.acquire(request);
      lease.adjust("rpm", 1);
      List<ThrowingCallable> calls =
          List.of(
              () -> limiter.acquireAsync(request),
              () -> limiter.acquireAsync(request, HOUR),
              () -> limiter.tryAcquireAsync(request),
              () -> limiter.tryAcquireAsync(request, HOUR),
              () -> limiter.callAsync(request, held -> CompletableFuture.completedFuture("ran")),
              () -> limiter.availableAsync("key-42", "gpt-4"),
              () -> limiter.timeUntilAvailableAsync(request),
              () -> limiter.closeAsync(HOUR),
              () -> lease.consumeAsync(Map.of("rpm", 1L)),
              lease::closeAsync,
              lease::cancelAsync);

      for (ThrowingCallable call : calls) {
        assertThatIllegalStateException()
            .isThrownBy(call)
            .withMessageContaining("only blocks: create it with a store that is an AsyncStore too");
      }

      assertThat(limiter.isAsync()).isFalse();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(1_000);
      lease.close(); // is open, as is the limiter
      assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    }
  }

  @Test
  void acquire_storeIsOnlyAsynchronous_waitsForItsAnswer() {
    try (RateLimiter limiter = async()) {
      limiter.acquire(Bench.rpm(1));
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));

      Background<Lease> acquired = Background.begin(() -> limiter.acquire(Bench.rpm(1)));
      assertThat(acquired.result()).isNotDone();
      gate.open();

      try (Lease lease = Await.result(acquired.result())) {
        lease.consume("rpm", 2);
        lease.adjust("rpm", 1);
      }
      assertThat(bench.consumedMilli("rpm")).isEqualTo(5_000);
      String answer = limiter.call(Bench.rpm(5), lease -> "done");
      assertThat(answer).isEqualTo("done");
      assertThatThrownBy(() -> limiter.acquire(Bench.rpm(1)))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(limiter.timeUntilAvailable(Bench.rpm(1))).contains(Duration.ofMillis(5_998));
      assertThat(limiter.available("key-42", "gpt-4", Bench.RPM).statuses()).hasSize(1);
      assertThat(limiter.isAsync()).isTrue();
    }
  }

  /** A thread that waits for the store must know what became of its charge. */
  @Test
  void acquire_storeIsOnlyAsynchronousAndThreadInterrupted_keepsTheInterruptAndTheAnswer() {
    try (RateLimiter limiter = async()) {
      limiter.acquire(Bench.rpm(1));
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));
      Background<Boolean> acquired =
          Background.begin(
              () -> {
                limiter.acquire(Bench.rpm(1));
                return Thread.interrupted();
              });

      acquired.thread().interrupt();
      gate.open();

      assertThat(Await.result(acquired.result())).as("interrupted").isTrue();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    }
  }

  @Test
  void acquire_interruptedWhileItWaitsForTokens_leavesTheLineUncharged() {
    try (RateLimiter limiter = async()) {
      limiter.acquire(Bench.rpm(10));
      Background<Lease> waits = Background.begin(() -> limiter.acquire(Bench.rpm(1), HOUR));

      waits.thread().interrupt();

      assertThat(catchThrowable(() -> Await.result(waits.result())))
          .isInstanceOf(InterruptedException.class);
      bench.advance(6_000);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(10_000);
    }
  }

  @Test
  void acquire_waitsForTokensOfAnAsynchronousStore_isServedWhenTheyAreDue() {
    try (RateLimiter limiter = async()) {
      limiter.acquire(Bench.rpm(10));
      Background<Lease> waits = Background.begin(() -> limiter.acquire(Bench.rpm(1), HOUR));
      assertThat(waits.result()).isNotDone();

      bench.advance(6_000);

      Await.result(waits.result()).cancel();
      assertThat(bench.consumedMilli("rpm")).isEqualTo(10_000);
    }
  }

  @Test
  void lease_acquiredWithoutWaiting_isEndedByAThreadThatWaits() {
    try (RateLimiter limiter = RateLimiter.create(bench.calls, bench.options().build())) {
      Lease lease = Await.result(limiter.acquireAsync(Bench.rpm(1)));
      Lease other = limiter.acquire(Bench.rpm(1));

      lease.consume("rpm", 1);
      lease.close();
      Await.result(other.consumeAsync("rpm", 2));
      Await.result(other.cancelAsync());

      assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    }
  }
}
