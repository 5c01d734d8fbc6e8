package dev.millrace.tests.hierarchy;

import static dev.millrace.tests.support.HierarchyBench.ENTITY;
import static dev.millrace.tests.support.HierarchyBench.RESOURCE;
import static dev.millrace.tests.support.HierarchyBench.key;
import static dev.millrace.tests.support.HierarchyBench.request;
import static dev.millrace.tests.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.client.LeaseState;
import dev.millrace.core.error.LimiterUnavailableException;
import dev.millrace.core.error.RateLimitExceededException;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.request.AcquireRequest;
import dev.millrace.core.request.OnUnavailable;
import dev.millrace.core.request.Settlement;
import dev.millrace.core.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.tests.support.Await;
import dev.millrace.tests.support.Caller;
import dev.millrace.tests.support.Held;
import dev.millrace.tests.support.HierarchyBench;
import dev.millrace.tests.support.Style;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A lease on several buckets: what is done to it reaches all of them. */
class LegLeaseTest {
  private static final List<String> CHAIN = List.of(ENTITY, "a1", "a2");
  private static final Limit TPM = Limit.perMinute("tpm", 1_000);

  private final HierarchyBench bench = new HierarchyBench();

  @BeforeEach
  void entities() {
    bench.directory.chain(CHAIN.toArray(String[]::new));
    bench.directory.system(rpm(100), TPM);
    bench.directory.resource("budget", Limit.perMinute("cents", 50));
  }

  private List<Long> consumed() {
    return CHAIN.stream().map(bench::consumed).toList();
  }

  private List<Long> cents() {
    return CHAIN.stream().map(id -> bench.consumed(key(id, "budget"), "cents")).toList();
  }

  private static Predicate<StoreCall> writesOf(String entityId) {
    return call -> call instanceof StoreCall.Write write && write.key().entityId().equals(entityId);
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_nothingChanged_writesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      assertThat(bench.writes(lease::close)).isZero();
      assertThat(bench.writes(lease::close)).isZero();
      assertThat(consumed()).containsOnly(5L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_adjusted_writesEachBucketOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5).consume("tpm", 100));
      lease.view().adjust("rpm", 10);
      lease.view().adjust("tpm", -30);
      lease.view().adjust("rpm", -7);
      lease.view().release("tpm", 20);

      assertThat(bench.writes(lease::close)).isEqualTo(3);

      assertThat(consumed()).containsOnly(8L);
      for (String entity : CHAIN) {
        assertThat(bench.consumed(key(entity), "tpm")).isEqualTo(50);
      }
      assertThat(lease.view().consumed("rpm")).isEqualTo(8);
      assertThat(lease.view().state()).isEqualTo(LeaseState.SETTLED);
    }
  }

  /** What cancels itself out is not written. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_adjustedForthAndBack_writesNothing(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      lease.view().adjust("rpm", 3);
      lease.view().adjust("rpm", -3);
      assertThat(bench.writes(lease::close)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_beyondTheBalance_takesAncestorsBelowZeroToo(Style style) {
    bench.directory.entity("a2", rpm(10));
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      lease.view().adjust("rpm", 50);
      lease.close();

      assertThat(consumed()).containsOnly(55L);
      assertThat(bench.limit(key("a2"), "rpm").tokensMilli()).isEqualTo(-45_000);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void cancel_severalBuckets_givesAllBack(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      Held lease = caller.acquire(request(5).and("budget", "cents", 3));
      lease.view().adjust("rpm", 20);

      assertThat(bench.writes(lease::cancel)).isEqualTo(6);

      assertThat(consumed()).containsOnly(1L);
      assertThat(cents()).containsOnly(0L);
      assertThat(bench.writes(lease::cancel)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void call_bodyThrows_givesAllBack(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(request(1));
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(
              () ->
                  caller.call(
                      request(5),
                      lease -> {
                        lease.consume("rpm", 2);
                        throw new IllegalStateException("the body");
                      }));
      assertThat(consumed()).containsOnly(1L);
    }
  }

  /** Each resource of a lease is adjusted by itself. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_oneOfSeveralResources_leavesTheOthersAlone(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5).and("budget", "cents", 3));
      assertThat(lease.view().consumed("budget", "cents")).isEqualTo(3);
      lease.view().adjust("budget", "cents", 4);
      lease.view().release("budget", "cents", 2);

      assertThat(bench.writes(lease::close)).isEqualTo(3);

      assertThat(cents()).containsOnly(5L);
      assertThat(consumed()).containsOnly(5L);
      assertThat(lease.view().consumed("budget", "cents")).isEqualTo(5);
    }
  }

  /** A further resource may have limits for an ancestor alone: that one is adjusted. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_furtherResourceThatOnlyAnAncestorLimits_reachesIt(Style style) {
    bench.directory.system();
    bench.directory.resource(RESOURCE, rpm(100));
    bench.directory.entityResource("a1", "images", Limit.perMinute("count", 50));
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5).and("images", "count", 3));
      assertThat(lease.view().consumed("images", "count")).isEqualTo(3);
      lease.view().adjust("images", "count", 4);
      lease.view().release("images", "count", 6);
      lease.close();

      assertThat(bench.consumed(key("a1", "images"), "count")).isEqualTo(1);
      assertThat(lease.view().consumed("images", "count")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void adjust_whatTheLeaseDoesNotHave_isAnError(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5).and("budget", "cents", 3));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.view().adjust("images", "count", 1))
          .withMessageContaining("resource 'images' is not one of the lease's");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.view().adjust("unknown", 1))
          .withMessageContaining("limit 'unknown' is not one of the limits");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> lease.view().release("budget", "cents", 4))
          .withMessageContaining("no more can be given back than was taken");
      lease.view().adjust("budget", "unknown", 1); // a further resource has what it has
      assertThat(bench.writes(lease::close)).isZero();
    }
  }

  /** More is taken of everything that the lease draws on by its first resource. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void consume_more_chargesAncestorsToo(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5).and("budget", "cents", 3));
      lease.consume("rpm", 2);

      assertThat(consumed()).containsOnly(7L);
      assertThat(cents()).containsOnly(3L);
      assertThat(lease.view().consumed("rpm")).isEqualTo(7);
      lease.view().release("rpm", 6);
      assertThat(bench.writes(lease::close)).isEqualTo(3);
      assertThat(consumed()).containsOnly(1L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void consume_anAncestorRefuses_leavesTheLeaseAsItWas(Style style) {
    bench.directory.entity("a1", rpm(6));
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));

      assertThatExceptionOfType(RateLimitExceededException.class)
          .isThrownBy(() -> lease.consume("rpm", 2));

      assertThat(lease.view().consumed("rpm")).isEqualTo(5);
      assertThat(consumed()).containsOnly(5L);
      lease.cancel();
      assertThat(consumed()).containsOnly(0L);
    }
  }

  /** What was taken from the old parent goes back to it, what from the new one to that. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void consume_afterTheEntityMoved_settlesEachWithItsOwn(Style style) {
    bench.directory.add("new", "a2");
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      bench.directory.move(ENTITY, "new");
      bench.refresh(ENTITY);
      lease.consume("rpm", 3);

      assertThat(lease.view().consumed("rpm")).isEqualTo(8);
      assertThat(bench.consumed("a1")).isEqualTo(5);
      assertThat(bench.consumed("new")).isEqualTo(3);
      assertThat(bench.consumed("a2")).isEqualTo(8);
      lease.cancel();

      assertThat(consumed()).containsOnly(0L);
      assertThat(bench.consumed("new")).isZero();
    }
  }

  /** Nobody is given back more than it was charged. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void release_afterTheEntityMoved_givesNobodyMoreThanItGave(Style style) {
    bench.directory.add("new", "a2");
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      bench.directory.move(ENTITY, "new");
      bench.refresh(ENTITY);
      lease.consume("rpm", 3);
      lease.view().release("rpm", 8);
      lease.close();

      assertThat(consumed()).containsOnly(0L);
      assertThat(bench.consumed("new")).isZero();
      assertThat(bench.limit(key("new"), "rpm").tokensMilli()).isEqualTo(100_000);
    }
  }

  /** When one bucket could not be settled, closing again writes that one and no other. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_oneFailed_closingAgainWritesOnlyThat(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      lease.view().adjust("rpm", 2);
      bench.faults.once(writesOf("a1"), Fault.throttle());

      assertThatExceptionOfType(LimiterUnavailableException.class).isThrownBy(lease::close);
      assertThat(consumed()).containsExactly(7L, 5L, 7L);
      assertThat(lease.view().state()).isEqualTo(LeaseState.OPEN);
      List<StoreCall> writes = bench.callsOf(Calls.writes(), lease::close);

      assertThat(writes).singleElement().matches(writesOf("a1"));
      assertThat(consumed()).containsOnly(7L);
      assertThat(bench.writes(lease::close)).isZero();
    }
  }

  /** In between it may be adjusted again. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_oneFailedAndAdjustedAgain_settlesTheRest(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      lease.view().adjust("rpm", 2);
      bench.faults.once(writesOf("a1"), Fault.throttle());
      assertThatExceptionOfType(LimiterUnavailableException.class).isThrownBy(lease::close);
      assertThat(lease.view().consumed("rpm")).isEqualTo(7);
      lease.view().adjust("rpm", -6);
      lease.close();

      assertThat(consumed()).containsOnly(1L);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void cancel_oneFailed_cancellingAgainGivesBackOnlyThat(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held lease = caller.acquire(request(5));
      bench.faults.once(writesOf("a2"), Fault.throttle());

      assertThatExceptionOfType(LimiterUnavailableException.class).isThrownBy(lease::cancel);
      assertThat(consumed()).containsExactly(0L, 0L, 5L);
      List<StoreCall> writes = bench.callsOf(Calls.writes(), lease::cancel);

      assertThat(writes).singleElement().matches(writesOf("a2"));
      assertThat(consumed()).containsOnly(0L);
    }
  }

  /** The answer of one was lost: it may have been written, and is not written again. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_oneUnknown_isNotWrittenAgain(Style style) {
    try (Caller caller = bench.caller(style, bench.options().onUnavailable(OnUnavailable.BLOCK))) {
      Held lease = caller.acquire(request(5));
      lease.view().release("rpm", 2);
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
      Held lease = caller.acquire(request(5));
      lease.view().adjust("rpm", 2);
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
      Held lease = caller.acquire(request(5));
      lease.view().release("rpm", 5);
      lease.close();
      bench.advance(500);

      Await.until(() -> consumed().equals(List.of(0L, 0L, 0L)), "all are settled");
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void close_limiterWithDeferredAdjustments_writesThem(Style style) {
    Caller caller = bench.caller(style, bench.options().settlement(Settlement.DEFERRED));
    Held lease = caller.acquire(request(5));
    Held open = caller.acquire(request(10));
    lease.view().adjust("rpm", 2);
    lease.close();

    caller.close();
    assertThat(consumed()).containsOnly(17L);
    open.view().adjust("rpm", -4); // what is open may still be ended
    open.close();
    assertThat(consumed()).containsOnly(13L);
  }

  /** A bucket that expired meanwhile is made again by a charge, not by what is given back. */
  @ParameterizedTest
  @EnumSource(Style.class)
  void close_bucketsGoneMeanwhile_chargesAreNotForgotten(Style style) {
    try (Caller caller = bench.caller(style)) {
      Held charges = caller.acquire(request(5));
      Held refunds = caller.acquire(request(5));
      bench.memory.remove(key("a1"));
      refunds.view().release("rpm", 5);
      refunds.close();
      assertThat(bench.exists("a1")).isFalse();
      charges.view().adjust("rpm", 2);
      charges.close();

      assertThat(bench.consumed("a1")).isEqualTo(2);
      assertThat(bench.consumed(ENTITY)).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @EnumSource(Style.class)
  void toString_lease_namesEntityAndResource(Style style) {
    try (Caller caller = bench.caller(style)) {
      AcquireRequest request = request(5).and("budget", "cents", 3);
      Held lease = caller.acquire(request);
      assertThat(lease.view().entityId()).isEqualTo(ENTITY);
      assertThat(lease.view().resource()).isEqualTo(RESOURCE);
      assertThat(lease.view().toString()).contains(ENTITY).contains("OPEN");
    }
  }
}
