package dev.millrace.client.hierarchy;

import static dev.millrace.client.support.HierarchyBench.ENTITY;
import static dev.millrace.client.support.HierarchyBench.RESOURCE;
import static dev.millrace.client.support.HierarchyBench.request;
import static dev.millrace.client.support.HierarchyBench.rpm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.Rejection;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.HierarchyBench;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With nobody else, the time to wait is exact, however many buckets and round trips it takes. */
class RetryAfterTest {
  private final HierarchyBench bench = new HierarchyBench();

  /** The simulator's seeds 9 and 18: the time was told as of before the round trip. */
  @ParameterizedTest
  @EnumSource
  void tryAcquire_givingBackTakesTime_isToldAsOfTheAnswer(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.entity(ENTITY, rpm(100));
    bench.directory.entity("team", rpm(10));
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      caller.acquire(request(0));
      other.acquire(request("team", 10)); // which the caller does not know yet
      bench.faults.once(
          Calls.writes(WritePlan.Adjust.class), Fault.before(() -> bench.advance(500)));

      Rejection rejection = caller.tryAcquire(request(3)).rejection().orElseThrow();

      requireExact(caller, request(3), rejection);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_givingBackTakesLongerThanTheWait_mayComeAgainAtOnce(Style style) {
    bench.directory.chain(ENTITY, "team");
    bench.directory.entity(ENTITY, rpm(100));
    bench.directory.entity("team", rpm(6_000)); // a token every ten milliseconds
    try (Caller caller = bench.caller(style);
        Caller other = bench.caller(style)) {
      caller.acquire(request(0));
      other.acquire(request("team", 6_000));
      bench.faults.once(
          Calls.writes(WritePlan.Adjust.class), Fault.before(() -> bench.advance(500)));

      Rejection rejection = caller.tryAcquire(request(3)).rejection().orElseThrow();

      assertThat(rejection.retryAfterMs()).isEqualTo(1);
      bench.advance(1);
      assertThat(caller.tryAcquire(request(3)).isGranted()).isTrue();
    }
  }

  /** The simulator's seed 81: a bucket that was seen long ago was told to pass. */
  @ParameterizedTest
  @EnumSource
  void tryAcquire_oneBucketSeenLongAgo_countsWithItAllTheSame(Style style) {
    bench.directory.entityResource(ENTITY, RESOURCE, rpm(10));
    bench.directory.entityResource(ENTITY, "slow", Limit.perHour("rpm", 6));
    AcquireRequest both = request(1).and("slow", Map.of("rpm", 1L));
    try (Caller caller = bench.caller(style)) {
      caller.acquire(AcquireRequest.of(ENTITY, "slow").consume("rpm", 6));
      bench.advance(1_500);
      caller.acquire(request(10));

      int calls = bench.calls.calls().size();
      Rejection rejection = caller.tryAcquire(both).rejection().orElseThrow();

      assertThat(bench.calls.calls()).as("known at no cost").hasSize(calls);
      requireExact(caller, both, rejection);
    }
  }

  private void requireExact(Caller caller, AcquireRequest request, Rejection rejection) {
    bench.advance(rejection.retryAfterMs() - 1);
    assertThat(caller.tryAcquire(request).isGranted()).as("a millisecond before").isFalse();
    bench.advance(1);
    assertThat(caller.tryAcquire(request).isGranted()).as("at the time").isTrue();
  }
}
