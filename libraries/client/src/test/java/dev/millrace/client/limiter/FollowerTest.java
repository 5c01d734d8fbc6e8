package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Lease;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A thread that follows another one's write and gives up on it. */
class FollowerTest {
  private final Bench bench = new Bench();
  private final Gate first = new Gate();
  private final Gate second = new Gate();

  /** A limiter with a write under way that waits for the gate {@link #first}. */
  private RateLimiter busy(LimiterOptions options) throws InterruptedException {
    RateLimiter limiter = RateLimiter.create(bench.calls, options);
    limiter.acquire(Bench.rpm(0));
    bench.faults.once(Calls.writes(), Fault.holdReply(first));
    bench.faults.once(Calls.writes(), Fault.holdReply(second));
    Background<Lease> leader = follow(limiter, 1);
    first.awaitArrivals(1);
    assertThat(leader.result()).isNotDone();
    return limiter;
  }

  private static Background<Lease> follow(RateLimiter limiter, long amount) {
    return Background.begin(() -> limiter.acquire(Bench.rpm(amount)));
  }

  private static void assertUnavailable(
      Background<Lease> caller, StoreFailure.Kind kind, boolean mayBeCharged) {
    assertThatThrownBy(() -> Await.result(caller.result()))
        .isInstanceOfSatisfying(
            LimiterUnavailableException.class,
            e ->
                assertThat(e.attributes())
                    .containsEntry("failure", kind)
                    .containsEntry("mayBeCharged", mayBeCharged));
  }

  @Test
  void acquire_interruptedWhileQueued_isNotCharged() throws Exception {
    RateLimiter limiter = busy(bench.options().build());
    Background<Lease> follower = follow(limiter, 4);
    Background<Lease> next = follow(limiter, 2);

    follower.thread().interrupt();

    assertUnavailable(follower, StoreFailure.Kind.INTERRUPTED, false);
    first.open();
    second.open();
    Await.result(next.result());
    assertThat(bench.consumedMilli("rpm")).isEqualTo(3_000);
    limiter.close();
  }

  @Test
  void acquire_interruptedWhileItsWriteIsUnderWay_isGivenBack() throws Exception {
    RateLimiter limiter = busy(bench.options().build());
    List<Background<Lease>> batch = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      batch.add(follow(limiter, 2));
    }
    first.open();
    second.awaitArrivals(1); // one of the three leads, the others follow it
    assertThat(bench.consumedMilli("rpm")).isEqualTo(7_000);

    // The last of the queue is called to lead: it has the most time left.
    batch.get(0).thread().interrupt();

    assertUnavailable(batch.get(0), StoreFailure.Kind.INTERRUPTED, true);
    second.open();
    Await.result(batch.get(1).result());
    Await.result(batch.get(2).result());
    Await.until(() -> bench.consumedMilli("rpm") == 5_000, "it is given back");
    assertThat(bench.balanceMilli("rpm")).isEqualTo(5_000);
    limiter.close();
  }

  @Test
  void acquire_timedOutWhileQueued_isNotCharged() throws Exception {
    RateLimiter limiter = busy(bench.options().timeout(Duration.ofMillis(300)).build());
    Background<Lease> follower = follow(limiter, 4);

    assertUnavailable(follower, StoreFailure.Kind.TIMED_OUT, false);
    first.open();
    second.open();

    limiter.acquire(Bench.rpm(1));
    assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    limiter.close();
  }

  @Test
  void acquire_timedOutWhileItsWriteIsUnderWay_isGivenBack() throws Exception {
    RateLimiter limiter = busy(bench.options().timeout(Duration.ofMillis(500)).build());
    Background<Lease> follower = follow(limiter, 3);
    Background<Lease> leader = follow(limiter, 2);
    first.open();
    second.awaitArrivals(1);

    assertUnavailable(follower, StoreFailure.Kind.TIMED_OUT, true);
    second.open();

    Await.result(leader.result());
    Await.until(() -> bench.consumedMilli("rpm") == 3_000, "it is given back");
    limiter.close();
  }

  @Test
  void acquire_interruptedFollower_keepsItsInterrupt() throws Exception {
    RateLimiter limiter = busy(bench.options().build());
    Background<Boolean> follower =
        Background.begin(
            () -> {
              try {
                limiter.acquire(Bench.rpm(4));
                return false;
              } catch (LimiterUnavailableException e) {
                return Thread.currentThread().isInterrupted();
              }
            });

    follower.thread().interrupt();

    assertThat(Await.result(follower.result())).isTrue();
    first.open();
    second.open();
    limiter.close();
  }

  @Test
  void acquire_everyFollowerGone_leavesTheChannelIdle() throws Exception {
    RateLimiter limiter = busy(bench.options().build());
    List<Background<Lease>> followers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      followers.add(follow(limiter, 1));
    }
    for (Background<Lease> follower : followers) {
      follower.thread().interrupt();
      assertUnavailable(follower, StoreFailure.Kind.INTERRUPTED, false);
    }
    first.open();
    second.open();

    limiter.acquire(Bench.rpm(1));
    assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    limiter.close();
  }
}
