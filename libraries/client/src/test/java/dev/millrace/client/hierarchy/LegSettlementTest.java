package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.key;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.millrace.Lease;
import dev.millrace.LeaseState;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.Settlement;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of a lease on several buckets: some written, some not, some later. */
class LegSettlementTest {
  private static final List<String> CHAIN = List.of(ENTITY, "a1", "a2");

  private final HierarchyBench bench = new HierarchyBench();

  @BeforeEach
  void entities() {
    bench.directory.chain(CHAIN.toArray(String[]::new));
    bench.directory.system(rpm(100));
  }

  private List<Long> consumed() {
    return CHAIN.stream().map(bench::consumed).toList();
  }

  private static Predicate<StoreCall> writesOf(String entityId) {
    return call -> call instanceof StoreCall.Write write && write.key().entityId().equals(entityId);
  }

  /** What could not be written in one bucket is written later; the lease has ended. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_oneFailed_isWrittenLater(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      lease.adjust("rpm", 2);
      bench.faults.once(writesOf("a1"), Fault.unreachable());

      lease.close();

      assertThat(consumed()).containsExactly(7L, 5L, 7L);
      assertThat(lease.state()).isEqualTo(LeaseState.SETTLED);
      assertThat(lease.isPostponed()).isTrue();
      assertThat(bench.writes(lease::close)).isZero();
      bench.advance(1_000);
      Await.until(() -> consumed().equals(List.of(7L, 7L, 7L)), "all are settled");
    }
  }

  /** What becomes known only afterwards is settled beside what is still to be written. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_oneFailedAndAdjustedAgain_settlesTheRest(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      lease.adjust("rpm", 2);
      bench.faults.once(writesOf("a1"), Fault.unreachable());
      lease.close();
      lease.reopen();
      assertThat(lease.consumed("rpm")).isEqualTo(7);
      lease.adjust("rpm", -6);
      lease.close();

      assertThat(consumed()).containsOnly(1L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void cancel_oneFailed_isGivenBackLater(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease lease = caller.acquire(request(5));
      bench.faults.once(writesOf("a2"), Fault.unreachable());

      lease.cancel();

      assertThat(consumed()).containsExactly(0L, 0L, 5L);
      assertThat(bench.writes(lease::cancel)).isZero();
      bench.advance(1_000);
      Await.until(() -> consumed().equals(List.of(0L, 0L, 0L)), "all is given back");
    }
  }

  /** The answer of one was lost: it may have been written, and is not written again. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_oneUnknown_isNotWrittenAgain(Style style) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.BLOCK))) {
      Lease lease = caller.acquire(request(5));
      lease.release("rpm", 2);
      bench.faults.once(writesOf("a1"), Fault.loseReply());
      bench.faults.once(Calls.reads(), Fault.unreachable());

      assertThatExceptionOfType(LimiterUnavailableException.class).isThrownBy(lease::close);

      assertThat(consumed()).containsOnly(3L);
      assertThat(bench.writes(lease::close)).isZero();
    }
  }

  /** Deferred adjustments go with the next write of each bucket, or with one of their own. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_deferred_goesWithTheNextWriteOfEachBucket(Style style) {
    try (Caller caller = bench.caller(style, bench.options().settlement(Settlement.DEFERRED))) {
      Lease lease = caller.acquire(request(5));
      lease.adjust("rpm", 2);
      assertThat(bench.writes(lease::close)).isZero();
      assertThat(consumed()).containsOnly(5L);

      assertThat(bench.writes(() -> caller.acquire(request(1)))).isEqualTo(3);

      assertThat(consumed()).containsOnly(8L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_deferredAndNobodyComes_isWrittenInTime(Style style) {
    try (Caller caller =
        bench.caller(
            style,
            bench.options().settlement(Settlement.DEFERRED).maxDefer(Duration.ofMillis(500)))) {
      Lease lease = caller.acquire(request(5));
      lease.release("rpm", 5);
      lease.close();
      bench.advance(500);

      Await.until(() -> consumed().equals(List.of(0L, 0L, 0L)), "all are settled");
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_limiterWithDeferredAdjustments_writesThem(Style style) {
    Caller caller = bench.caller(style, bench.options().settlement(Settlement.DEFERRED));
    Lease lease = caller.acquire(request(5));
    Lease open = caller.acquire(request(10));
    lease.adjust("rpm", 2);
    lease.close();

    caller.close();
    assertThat(consumed()).containsOnly(17L);
    open.adjust("rpm", -4); // what is open may still be ended
    open.close();
    assertThat(consumed()).containsOnly(13L);
  }

  /** A bucket that expired meanwhile is made again by a charge, not by what is given back. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_bucketsGoneMeanwhile_chargesAreNotForgotten(Style style) {
    try (Caller caller = bench.caller(style)) {
      Lease charges = caller.acquire(request(5));
      Lease refunds = caller.acquire(request(5));
      bench.memory.remove(key("a1"));
      refunds.release("rpm", 5);
      refunds.close();
      assertThat(bench.exists("a1")).isFalse();
      charges.adjust("rpm", 2);
      charges.close();

      assertThat(bench.consumed("a1")).isEqualTo(2);
      assertThat(bench.consumed(ENTITY)).isEqualTo(7);
    }
  }
}
