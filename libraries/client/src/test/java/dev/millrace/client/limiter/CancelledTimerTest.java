package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A line has one timer, and none when its callers have gone. */
class CancelledTimerTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final Bench bench = new Bench();
  private final RateLimiter limiter = RateLimiter.createAsync(bench.calls, bench.options().build());

  private List<CompletableFuture<Lease>> waiting(int count) {
    Await.result(limiter.acquireAsync(Bench.rpm(10)));
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      waiting.add(limiter.acquireAsync(Bench.rpm(1), LONG).toCompletableFuture());
    }
    return waiting;
  }

  @Test
  void cancel_allOfALine_leavesNoTimer() {
    List<CompletableFuture<Lease>> waiting = waiting(20);

    waiting.forEach(one -> one.cancel(false));

    assertThat(bench.clock.sleepers()).isZero();
  }

  @Test
  void acquire_manyWait_haveOneTimer() {
    List<CompletableFuture<Lease>> waiting = waiting(20);

    assertThat(bench.clock.sleepers()).isEqualTo(1);
    waiting.get(0).cancel(false);
    assertThat(bench.clock.sleepers()).isEqualTo(1);
  }

  @Test
  void acquire_allServed_leavesNoTimer() {
    List<CompletableFuture<Lease>> waiting = waiting(3);

    bench.advance(18_000);

    assertThat(waiting).allMatch(CompletableFuture::isDone);
    assertThat(bench.clock.sleepers()).isZero();
  }
}
