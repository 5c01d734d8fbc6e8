package dev.millrace.client.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Lease;
import dev.millrace.LimiterConfigurationException;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.MillraceException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults of the original in which a failing store was answered wrongly. */
class BrokenStoreTest {
  private final Bench bench = new Bench();

  private Caller caller(Style style, OnUnavailable policy) {
    return bench.caller(style, bench.options().onUnavailable(policy));
  }

  /** Fault 19: one lost answer doubled charges, adjusts and refunds. */
  @ParameterizedTest
  @EnumSource
  void lostReply_neverChargesTwice(Style style) {
    try (Caller caller = bench.caller(style)) {
      bench.faults.always(Calls.writes(), Fault.loseReply());

      Lease lease = caller.acquire(Bench.rpm(3));
      lease.consume("rpm", 2);
      lease.adjust("rpm", 1);
      lease.close();
      Lease refunded = caller.acquire(Bench.rpm(4));
      refunded.cancel();

      assertThat(bench.consumedMilli("rpm")).isEqualTo(6_000);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(4_000);
      assertThat(bench.calls.roundTrips(Calls.writes())).isEqualTo(5);
    }
  }

  /** Fault 28: failures of the slow path's write escaped the policy, in either direction. */
  @ParameterizedTest
  @EnumSource
  void failureOfAnyCall_neverEscapesThePolicy(Style style) {
    for (int failing = 0; failing < 4; failing++) {
      for (Fault fault : new Fault[] {Fault.unreachable(), Fault.loseRequest()}) {
        Bench fresh = new Bench();
        try (Caller other = fresh.caller(style);
            Caller blocking = fresh.caller(style);
            Caller allowing =
                fresh.caller(style, fresh.options().onUnavailable(OnUnavailable.ALLOW))) {
          other.acquire(Bench.rpm(1));
          for (Caller caller : new Caller[] {blocking, allowing}) {
            fresh.advance(500);
            // The first write loses its lock, so that there are a look-up and two writes. Beside
            // the
            // look-up the bucket is read; that one may fail, because it is read again.
            fresh.faults.heal();
            failNth(fresh, failing, fault, other);
            if (failing >= 3) {
              assertThat(caller.acquire(Bench.rpm(1)).isDegraded()).isFalse();
            } else if (caller == allowing) {
              assertThat(caller.acquire(Bench.rpm(1)).isDegraded()).isTrue();
            } else {
              assertThatThrownBy(() -> caller.acquire(Bench.rpm(1)))
                  .isInstanceOf(LimiterUnavailableException.class);
            }
          }
        }
      }
    }
  }

  /** The call with that number fails; just before the first write somebody else writes. */
  private static void failNth(Bench bench, int number, Fault fault, Caller other) {
    int[] seen = {0};
    boolean[] overtaken = {false};
    boolean[] inside = {false};
    Predicate<StoreCall> failing =
        call -> !inside[0] && !(call instanceof StoreCall.Read) && seen[0]++ == number;
    bench.faults.always(failing, fault);
    bench.faults.always(
        call -> call instanceof StoreCall.Write && !inside[0] && !overtaken[0],
        Fault.before(
            () -> {
              overtaken[0] = true;
              inside[0] = true;
              other.acquire(Bench.rpm(1));
              inside[0] = false;
            }));
  }

  /** A store in Kotlin or Groovy may throw what no signature announces. */
  @ParameterizedTest
  @EnumSource
  void storeThrowsAnUndeclaredCheckedException_theBucketGoesOn(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));
      bench.faults.once(
          Calls.writes(), Fault.before(() -> BrokenStoreTest.<RuntimeException>throwUndeclared()));

      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasCauseInstanceOf(IOException.class);

      caller.acquire(Bench.rpm(1));
      assertThat(bench.consumedMilli("rpm")).isEqualTo(2_000);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Throwable> void throwUndeclared() throws X {
    throw (X) new IOException("from Kotlin");
  }

  /** Fault 29: ALLOW admitted everything because of bugs, permissions and missing tables. */
  @ParameterizedTest
  @EnumSource
  void allow_neverSwallowsBugs(Style style) {
    try (Caller caller = caller(style, OnUnavailable.ALLOW)) {
      for (RuntimeException bug :
          new RuntimeException[] {
            new LimiterConfigurationException("the table does not exist", Map.of(), null),
            new MillraceException("corrupt bucket item", Map.of(), null),
            new NullPointerException("a bug"),
            new IllegalArgumentException("another bug")
          }) {
        // Not the read beside the first look-up: that is made by a thread of its own, at any time.
        bench.faults.once(Calls.reads().negate(), Fault.raise(bug));
        assertThatThrownBy(() -> caller.acquire(Bench.rpm(1))).isSameAs(bug);
        Lease lease = caller.acquire(Bench.rpm(1));
        lease.adjust("rpm", 1);
        bench.faults.once(Calls.writes(), Fault.raise(bug));
        assertThatThrownBy(lease::close).isSameAs(bug);
      }
      assertThat(caller.metrics().degraded()).isZero();
    }
  }

  /** Fault 30: what is no Exception neither rolled back nor settled. */
  @ParameterizedTest
  @EnumSource
  void errorInTheBody_neverKeepsTheCharge(Style style) {
    try (Caller caller = bench.caller(style)) {
      for (Throwable thrown :
          new Throwable[] {
            new OutOfMemoryError("as told"),
            new LinkageError(),
            new InterruptedException(),
            new CancellationException()
          }) {
        assertThatThrownBy(
                () ->
                    caller.call(
                        Bench.rpm(5),
                        lease -> {
                          throw Await.rethrown(thrown);
                        }))
            .isSameAs(thrown);
        assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
      }
    }
  }

  /** Fault 30: neither did a body whose thread was interrupted. */
  @Test
  void interruptedBody_neverKeepsTheCharge() {
    RateLimiter limiter = RateLimiter.create(bench.calls, bench.options().build());
    Background<Boolean> caller =
        Background.begin(
            () -> {
              try {
                return limiter.call(
                    Bench.rpm(5),
                    lease -> {
                      Thread.currentThread().interrupt();
                      throw new IllegalStateException("gave up");
                    });
              } catch (IllegalStateException e) {
                assertThat(e.getSuppressed()).isEmpty();
                return Thread.currentThread().isInterrupted();
              }
            });

    assertThat(Await.result(caller.result())).as("the interrupt is kept").isTrue();
    assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
    limiter.close();
  }

  /** Fault 30: and nor may one that has to queue behind somebody else's write. */
  @Test
  void interruptedBodyBehindAWrite_neverKeepsTheCharge() throws Exception {
    RateLimiter limiter = RateLimiter.create(bench.calls, bench.options().build());
    Gate write = new Gate();
    limiter.acquire(Bench.rpm(0));
    CountDownLatch entered = new CountDownLatch(1);
    Background<?> working =
        Background.begin(
            () ->
                limiter.call(
                    Bench.rpm(5),
                    lease -> {
                      entered.countDown();
                      try {
                        new CountDownLatch(1).await(); // until it is interrupted
                        return 0;
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw e;
                      }
                    }));
    entered.await();
    bench.faults.once(Calls.writes(), Fault.holdReply(write));
    Background<?> leader = Background.begin(() -> limiter.acquire(Bench.rpm(1)));
    write.awaitArrivals(1);

    working.thread().interrupt();
    Await.until(
        () ->
            working.result().isDone() || working.thread().getState() == Thread.State.TIMED_WAITING,
        "it queues");
    write.open();

    assertThatThrownBy(() -> Await.result(working.result()))
        .isInstanceOf(InterruptedException.class)
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).isEmpty());
    Await.result(leader.result());
    assertThat(bench.consumedMilli("rpm")).isEqualTo(1_000);
    limiter.close();
  }

  /** Fault 30: a settlement that failed was followed by a rollback of what may be settled. */
  @ParameterizedTest
  @EnumSource
  void failedSettlement_neverGivesTheChargeBack(Style style) {
    try (Caller caller = bench.caller(style)) {
      int result =
          caller.call(
              Bench.rpm(4),
              lease -> {
                lease.adjust("rpm", 3);
                bench.faults.always(Calls.writes(), Fault.loseRequest());
                return 0;
              });
      bench.faults.heal();

      assertThat(result).isZero();
      Await.until(
          () -> {
            bench.advance(1_000);
            return bench.consumedMilli("rpm") != 4_000;
          },
          "the settlement is written");
      assertThat(bench.consumedMilli("rpm")).isEqualTo(7_000);
    }
  }
}
