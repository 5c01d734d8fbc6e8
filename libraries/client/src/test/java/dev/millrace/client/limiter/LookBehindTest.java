package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Acquisition;
import dev.millrace.Availability;
import dev.millrace.Lease;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a process remembers of a bucket, and what it must not fall back behind. */
class LookBehindTest {
  private final Bench bench = new Bench();

  /**
   * Found by a recorded history: an adjustment leaves the refill timestamp as it is, so the answer
   * of a look that was sent before it seemed to be as new.
   */
  @Test
  void available_answeredAfterARefundThatItDoesNotShow_doesNotHideTheRefund() {
    Gate gate = new Gate();
    try (RateLimiter limiter = RateLimiter.createAsync(bench.faults, bench.options().build())) {
      Lease lease = limiter.acquireAsync(Bench.rpm(10)).toCompletableFuture().join();
      bench.faults.once(Calls.reads(), Fault.holdReply(gate));
      CompletableFuture<Availability> look =
          limiter.availableAsync("key-42", "gpt-4", Bench.RPM).toCompletableFuture();
      lease.cancelAsync().toCompletableFuture().join();
      gate.open();
      assertThat(look.join().tokens("rpm")).as("as it was when it was read").isZero();

      assertThat(limiter.tryAcquireAsync(Bench.rpm(5)).toCompletableFuture().join())
          .isInstanceOf(Acquisition.Granted.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_bucketNotSeenForItsAge_isReadAnew(Style style) {
    Duration age = Duration.ofSeconds(5);
    try (Caller caller = bench.caller(style, bench.options().mirrorAge(age))) {
      caller.acquire(Bench.rpm(1));
      bench.advance(age.toMillis() - 1);
      assertThat(bench.roundTrips(() -> caller.acquire(Bench.rpm(1)))).as("a write").isEqualTo(1);

      bench.advance(age.toMillis());
      assertThat(bench.roundTrips(() -> caller.acquire(Bench.rpm(1))))
          .as("a read and a write")
          .isEqualTo(2);
    }
  }
}
