package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that wait and callers that do not, on one limiter. */
class MixedCallersTest {
  private final Bench bench = new Bench();
  private final RateLimiter limiter = RateLimiter.create(bench.calls, bench.options().build());

  private Background<Lease> blocking(long amount) {
    return Background.begin(() -> limiter.acquire(Bench.rpm(amount)));
  }

  private CompletableFuture<Lease> async(long amount) {
    return limiter.acquireAsync(Bench.rpm(amount)).toCompletableFuture();
  }

  /** Whoever leads, the others are told. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void acquire_bothKinds_shareOneWriteInTheOrderOfArrival(boolean blockingLeads) throws Exception {
    limiter.acquire(Bench.rpm(0));
    Gate gate = new Gate();
    bench.faults.once(Calls.writes(), Fault.holdReply(gate));
    CompletableFuture<?> first = blockingLeads ? blocking(1).result() : async(1);
    gate.awaitArrivals(1);
    int writes = bench.calls.roundTrips(Calls.writes());
    Background<Lease> second = blocking(4);
    CompletableFuture<Lease> third = async(4);
    Background<Lease> fourth = blocking(1);
    CompletableFuture<Lease> fifth = async(1);

    gate.open();

    Await.result(first);
    Await.result(second.result());
    Await.result(third);
    Await.result(fourth.result());
    assertThat(fifth).isCompletedExceptionally();
    assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(writes + 1);
    assertThat(bench.consumedMilli("rpm")).isEqualTo(10_000);
    limiter.close();
  }

  @Test
  void acquire_oneLineForBothKinds_isServedInTheOrderOfArrival() {
    Duration hour = Duration.ofHours(1);
    limiter.acquire(Bench.rpm(10));
    CompletableFuture<Lease> first = limiter.acquireAsync(Bench.rpm(1), hour).toCompletableFuture();
    Background<Lease> second = Background.begin(() -> limiter.acquire(Bench.rpm(1), hour));
    CompletableFuture<Lease> third = limiter.acquireAsync(Bench.rpm(1), hour).toCompletableFuture();

    bench.advance(5_998);
    assertThat(first).isCompleted();
    assertThat(third).isNotDone();
    // The second one waits on a thread of its own: nobody knows when it looks at the clock.
    Await.until(
        () -> {
          bench.advance(100);
          return second.result().isDone();
        },
        "the second one is served");
    bench.advance(6_000);
    Await.result(third);
    assertThat(bench.consumedMilli("rpm")).isEqualTo(13_000);
    limiter.close();
  }

  @Test
  void async_sharesEverythingWithItsLimiter() {
    limiter.acquire(Bench.rpm(10));
    int calls = bench.calls.roundTrips();

    assertThat(Await.result(limiter.tryAcquireAsync(Bench.rpm(1))))
        .isInstanceOf(Acquisition.Refused.class);
    assertThat(bench.calls.roundTrips()).as("seen by the other half").isEqualTo(calls);
    assertThat(limiter.metrics().refused()).isEqualTo(1);
    limiter.close();
  }

  @Test
  void acquire_manyOfBothKindsAtOnce_losesNobodyAndKeepsTheBooks() throws Exception {
    int each = 3_000;
    Limit large = Limit.perMinute("rpm", 5_000);
    AcquireRequest request = AcquireRequest.of("key-42", "gpt-4").limits(large).consume("rpm", 1);
    AtomicLong admitted = new AtomicLong();
    List<CompletableFuture<?>> answers = new ArrayList<>();
    List<Background<Integer>> callers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      callers.add(
          Background.begin(
              () -> {
                for (int j = 0; j < each; j++) {
                  if (limiter.tryAcquire(request) instanceof Acquisition.Granted) {
                    admitted.incrementAndGet();
                  }
                }
                return 0;
              }));
      callers.add(
          Background.begin(
              () -> {
                for (int j = 0; j < each; j++) {
                  CompletableFuture<?> answer =
                      limiter
                          .tryAcquireAsync(request)
                          .thenAccept(
                              acquisition -> {
                                if (acquisition instanceof Acquisition.Granted) {
                                  admitted.incrementAndGet();
                                }
                              })
                          .toCompletableFuture();
                  synchronized (answers) {
                    answers.add(answer);
                  }
                }
                return 0;
              }));
    }

    callers.forEach(caller -> Await.result(caller.result()));
    answers.forEach(Await::result);

    assertThat(admitted.get()).isEqualTo(5_000);
    assertThat(bench.consumedMilli("rpm")).isEqualTo(5_000_000);
    assertThat(bench.balanceMilli("rpm")).isZero();
    limiter.close();
  }
}
