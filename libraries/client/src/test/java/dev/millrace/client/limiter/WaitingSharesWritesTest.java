package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that wait share writes, in the order of arrival and without a herd. */
class WaitingSharesWritesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Ten tokens a millisecond. */
  private static final LimitSet FAST = LimitSet.of(Limit.perSecond("fast", 10_000));

  private final Bench bench = new Bench();

  private Caller caller(Style style) {
    return bench.caller(style, bench.options().timeout(Duration.ofMinutes(5)));
  }

  private static AcquireRequest fast(long amount) {
    return Bench.request(FAST).consume("fast", amount);
  }

  private int writes() {
    return bench.calls.roundTrips(Calls.writes());
  }

  private static List<CompletableFuture<Lease>> begin(
      Caller caller, int count, AcquireRequest request) {
    List<CompletableFuture<Lease>> begun = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      begun.add(caller.begin(request, MINUTE));
    }
    return begun;
  }

  @ParameterizedTest
  @EnumSource
  void acquire_manyWithAWaitOnAFullBucket_shareTwoWrites(Style style) throws Exception {
    try (Caller caller = caller(style)) {
      caller.acquire(fast(1));
      int before = writes();
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));
      CompletableFuture<Lease> first = caller.begin(fast(1), MINUTE);
      gate.awaitArrivals(1);

      List<CompletableFuture<Lease>> others = begin(caller, 100, fast(1));
      assertThat(others).noneMatch(CompletableFuture::isDone);
      gate.open();

      Await.result(first);
      others.forEach(Await::result);
      assertThat(writes() - before).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_manyWithAWaitOnABucketNeverSeen_shareTheSecondWrite(Style style) throws Exception {
    try (Caller caller = caller(style)) {
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));
      CompletableFuture<Lease> first = caller.begin(fast(1), MINUTE);
      gate.awaitArrivals(1);
      List<CompletableFuture<Lease>> others = begin(caller, 50, fast(1));
      gate.open();

      Await.result(first);
      others.forEach(Await::result);
      assertThat(writes()).as("the one that makes it, and one for all others").isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_tokensForThreeComeDue_threeLeaveTogetherAndTheOthersWait(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(fast(10_000));
      List<CompletableFuture<Lease>> waiting = begin(caller, 12, fast(3));
      int before = bench.calls.roundTrips();

      bench.advance(1);
      waiting.subList(0, 3).forEach(Await::result);
      assertThat(bench.calls.roundTrips() - before).as("one write for three").isEqualTo(1);
      assertThat(waiting.subList(3, 12)).noneMatch(CompletableFuture::isDone);

      bench.advance(1);
      waiting.subList(3, 6).forEach(Await::result);
      assertThat(bench.calls.roundTrips() - before).isEqualTo(2);
      assertThat(waiting.subList(6, 12)).noneMatch(CompletableFuture::isDone);
    }
  }

  /**
   * One thread does everything, so how many callers each write stands for is the same each time.
   */
  @Test
  void acquire_tokensForTwoComeDue_nobodyElseAsks() {
    List<Integer> asked = new ArrayList<>();
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.WriteGroup group) {
            asked.add(group.requests());
          }
        };
    try (Caller caller = bench.caller(Style.ASYNC, bench.options().listener(listener))) {
      caller.acquire(fast(10_000));
      List<CompletableFuture<Lease>> waiting = begin(caller, 8, fast(5));
      asked.clear();

      for (int i = 0; i < 4; i++) {
        bench.advance(1);
      }

      assertThat(waiting).allMatch(CompletableFuture::isDone);
      assertThat(asked).containsExactly(2, 2, 2, 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_largeInFront_isNotOvertakenByThoseThatWouldFit(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(fast(10_000));
      CompletableFuture<Lease> large = caller.begin(fast(25), MINUTE);
      CompletableFuture<Lease> small = caller.begin(fast(5), MINUTE);

      bench.advance(2);
      assertThat(large).isNotDone();
      assertThat(small).isNotDone();
      int before = writes();
      bench.advance(1);

      Await.result(large);
      Await.result(small);
      assertThat(writes() - before).isEqualTo(1);
    }
  }

  /** Another process takes what was expected: those refused go back to the front, in order. */
  @Test
  void acquire_takenByAnotherProcess_theRefusedComeFirstAgain() {
    try (Caller caller = caller(Style.ASYNC);
        Caller other = caller(Style.ASYNC)) {
      caller.acquire(fast(10_000));
      List<CompletableFuture<Lease>> waiting = begin(caller, 4, fast(5));
      bench.faults.once(Calls.writes(), Fault.before(() -> other.acquire(fast(5))));

      bench.advance(1);
      assertThat(waiting.get(0)).isCompleted();
      assertThat(waiting.subList(1, 4)).noneMatch(CompletableFuture::isDone);

      bench.advance(1);
      assertThat(waiting.subList(1, 3)).allMatch(CompletableFuture::isDone);
      assertThat(waiting.get(3)).isNotDone();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_takenByAnotherProcess_allAreServedInTheEnd(Style style) {
    try (Caller caller = caller(style);
        Caller other = caller(style)) {
      caller.acquire(fast(10_000));
      List<CompletableFuture<Lease>> waiting = begin(caller, 4, fast(5));
      bench.faults.once(Calls.writes(), Fault.before(() -> other.acquire(fast(5))));

      advanceUntil(waiting);

      assertThat(bench.consumedMilli("fast")).isEqualTo(10_025_000);
    }
  }

  /** Moves the clock on until all are served: threads of their own need time to keep up. */
  private void advanceUntil(List<CompletableFuture<Lease>> waiting) {
    Await.until(
        () -> {
          bench.advance(1);
          return waiting.stream().allMatch(CompletableFuture::isDone);
        },
        "all are served");
    waiting.forEach(Await::result);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_severalSetsOfLimits_areServed(Style style) {
    LimitSet wider = LimitSet.of(Limit.perSecond("fast", 10_000), Limit.perSecond("slow", 100));
    try (Caller caller = caller(style)) {
      caller.acquire(fast(10_000));
      CompletableFuture<Lease> first = caller.begin(fast(5), MINUTE);
      CompletableFuture<Lease> second =
          caller.begin(Bench.request(wider).consume("fast", 5).consume("slow", 1), MINUTE);
      CompletableFuture<Lease> third = caller.begin(fast(5), MINUTE);

      advanceUntil(List.of(first, second, third));

      assertThat(bench.consumedMilli("fast")).isEqualTo(10_015_000);
    }
  }
}
