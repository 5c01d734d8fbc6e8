package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimiter;
import dev.millrace.Threads;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A store that has just failed several times is not asked again by everyone. */
class StoreAwayTest {
  private static final int FAILURES = 5;

  private final Bench bench = new Bench();

  private static StoreFailure.Kind failure(Caller caller) {
    return (StoreFailure.Kind)
        Optional.ofNullable(
                catchThrowableOfType(
                    LimiterUnavailableException.class, () -> caller.acquire(Bench.rpm(1))))
            .orElseThrow(() -> new AssertionError("it was granted"))
            .attributes()
            .get("failure");
  }

  /** Fails until the store counts as away. */
  private void fail(Caller caller, Fault fault) {
    bench.faults.always(Calls.any(), fault);
    for (int i = 0; i < FAILURES && caller.metrics().storeAway() == 0; i++) {
      assertThat(failure(caller)).isNotEqualTo(StoreFailure.Kind.AWAY);
    }
    assertThat(caller.metrics().storeAway()).isEqualTo(1);
  }

  private int calls() {
    return bench.calls.roundTrips(Calls.any());
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeFailedFiveTimesInARow_isAnsweredWithoutACall(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));
      fail(caller, Fault.unreachable());
      int before = calls();

      assertThat(failure(caller)).isEqualTo(StoreFailure.Kind.AWAY);
      assertThat(caller.acquire(Bench.rpm(1).onUnavailable(OnUnavailable.ALLOW)).isDegraded())
          .isTrue();

      assertThat(calls()).isEqualTo(before);
      assertThat(caller.metrics().storeAbsences()).isEqualTo(1);
      assertThat(caller.metrics().degraded()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeThatThrottles_isAskedEveryTime(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(1));
      bench.faults.always(Calls.any(), Fault.throttle());
      for (int i = 0; i < 3 * FAILURES; i++) {
        assertThat(failure(caller)).isEqualTo(StoreFailure.Kind.THROTTLED);
      }

      assertThat(caller.metrics().storeAway()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_answersBetweenTheFailures_goesOnAsking(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(0));
      for (int i = 0; i < 3 * FAILURES; i++) {
        bench.faults.once(Calls.writes(), Fault.unreachable());
        assertThat(failure(caller)).isEqualTo(StoreFailure.Kind.UNREACHABLE);
        caller.acquire(Bench.rpm(0));
      }

      assertThat(caller.metrics().storeAbsences()).isZero();
    }
  }

  /** An answer to a call that was sent before the last answer came says nothing. */
  @ParameterizedTest
  @EnumSource(names = "ASYNC")
  void acquire_lateFailuresOfManyCallsAfterTheStoreIsBack_doNotCount(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(0));
      Gate gate = new Gate();
      bench.faults.always(Calls.writes(), Fault.holdRequest(gate).and(Fault.unreachable()));
      for (int i = 0; i < 2 * FAILURES; i++) {
        CompletableFuture<Lease> unused =
            caller.begin(
                AcquireRequest.of("other-" + i, "gpt-4").limits(Bench.LIMITS).consume("rpm", 1));
      }
      gate.awaitArrivals(2 * FAILURES);
      bench.faults.heal();
      caller.acquire(Bench.rpm(0)); // the store is back

      gate.open(); // and those that were under way all fail

      assertThat(caller.metrics().storeAbsences()).isZero();
    }
  }

  /** Sixty seconds away: one probe at a time, ever more seldom, and back within two seconds. */
  @ParameterizedTest
  @EnumSource
  void probe_storeAwayForAMinute_isOneAtATimeAndFindsItBack(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(0));
      fail(caller, Fault.unreachable());
      int before = calls();
      for (int ms = 0; ms < 60_000; ms += 50) {
        int asked = calls();
        bench.advance(50);
        Await.until(() -> bench.clock.sleepers() >= 1, "the next probe is due at some time");
        assertThat(calls() - asked).isLessThanOrEqualTo(1);
        assertThat(failure(caller)).isEqualTo(StoreFailure.Kind.AWAY);
      }
      assertThat(calls() - before).isBetween(100, 125);

      bench.faults.heal();
      bench.advance(500);
      Await.until(() -> caller.metrics().storeAway() == 0, "a probe finds it back");

      caller.acquire(Bench.rpm(1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void probe_answerYetToCome_noOtherIsMade(Style style) throws Exception {
    Gate gate = new Gate();
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(0));
      fail(caller, Fault.unreachable());
      bench.faults.heal();
      Predicate<StoreCall> any = Calls.any();
      bench.faults.always(any, Fault.holdReply(gate));
      int before = calls();
      bench.advance(50);
      gate.awaitArrivals(1);

      bench.advance(60_000);

      assertThat(calls() - before).isEqualTo(1);
      gate.open();
      Await.until(() -> caller.metrics().storeAway() == 0, "its answer ends it");
    }
  }

  /** A machine that is short of threads too: the next failures are followed by probes again. */
  @Test
  void probe_noThreadCanBeStarted_storeIsFoundBackLater() {
    boolean[] shortage = {false};
    Threads threads =
        (Threads)
            Proxy.newProxyInstance(
                Threads.class.getClassLoader(),
                new Class<?>[] {Threads.class},
                (self, method, arguments) ->
                    method.getName().equals("helpers")
                        ? helpers(shortage)
                        : method.invoke(Threads.system(), arguments));
    BlockingStore blocksOnly = (call, timeoutMs) -> bench.calls.execute(call, timeoutMs);
    LimiterOptions options = bench.options().threads(threads).build();
    try (Caller caller = Caller.of(RateLimiter.create(blocksOnly, options))) {
      caller.acquire(Bench.rpm(0));
      fail(caller, Fault.unreachable());
      shortage[0] = true;
      bench.advance(50);
      assertThat(caller.metrics().storeAway()).as("unknown again").isZero();
      shortage[0] = false;
      fail(caller, Fault.unreachable());
      bench.faults.heal();
      bench.advance(500);

      assertThat(caller.metrics().storeAway()).isZero();
      caller.acquire(Bench.rpm(1));
    }
  }

  /** Threads that are the caller's own, or cannot be had. */
  private static ExecutorService helpers(boolean[] none) {
    return new AbstractExecutorService() {
      @Override
      public void execute(Runnable task) {
        if (none[0]) {
          throw new IllegalStateException("no thread can be started");
        }
        task.run();
      }

      @Override
      public void shutdown() {}

      @Override
      public List<Runnable> shutdownNow() {
        return List.of();
      }

      @Override
      public boolean isShutdown() {
        return false;
      }

      @Override
      public boolean isTerminated() {
        return false;
      }

      @Override
      public boolean awaitTermination(long timeout, TimeUnit unit) {
        return true;
      }
    };
  }

  /** A mistake is for the callers to see: it is an answer. */
  @ParameterizedTest
  @EnumSource
  void probe_tableIsMissing_callersAreTold(Style style) throws Exception {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(0));
      fail(caller, Fault.unreachable());
      bench.faults.heal();
      RuntimeException noTable = new IllegalStateException("no such table");
      bench.faults.always(Calls.any(), Fault.raise(noTable));
      bench.advance(50);
      Await.until(() -> caller.metrics().storeAway() == 0, "the store answers");

      assertThatThrownBy(() -> caller.acquire(Bench.rpm(1))).isSameAs(noTable);
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_storeAway_probesNoMore(Style style) {
    Caller caller = bench.caller(style);
    caller.acquire(Bench.rpm(0));
    fail(caller, Fault.unreachable());
    caller.close();
    int before = calls();

    bench.advance(60_000);

    assertThat(calls()).isEqualTo(before);
    assertThat(bench.clock.sleepers()).isZero();
  }
}
