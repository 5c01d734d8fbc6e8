package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LimitSet;
import dev.millrace.LimitStatus;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.OnUnavailable;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.Rejection;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Background;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that wait for tokens to return. A token is six seconds. */
class WaitingTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Bench bench = new Bench();

  /** A limiter whose bucket was just emptied. */
  private Caller emptied(Style style) {
    Caller caller = bench.caller(style, options());
    caller.acquire(Bench.rpm(10));
    return caller;
  }

  /** With a long time limit: the clock may be moved while a thread asks the store. */
  private LimiterOptions.Builder options() {
    return bench.options().timeout(Duration.ofMinutes(5));
  }

  /** Moves the clock in steps, so that whoever waits on a thread of its own can keep up. */
  private void advanceTo(CompletableFuture<?> done, Duration step) throws InterruptedException {
    for (int i = 0; i < 100 && !done.isDone(); i++) {
      bench.clock.advance(step);
      Await.until(() -> done.isDone() || bench.clock.sleepers() > 0, "somebody waits");
    }
    Await.result(done);
  }

  @ParameterizedTest
  @EnumSource
  void acquire_tokensComeInTime_isAdmittedWhenTheyAreDue(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> waiting = caller.begin(Bench.rpm(2), MINUTE);

      bench.advance(11_997);
      assertThat(waiting).isNotDone();
      bench.advance(1);

      Await.result(waiting);
      assertThat(bench.clock.elapsedMs()).isEqualTo(11_998);
      assertThat(bench.balanceMilli("rpm")).isZero();
      assertThat(caller.metrics().refused()).as("refused only when it is final").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_fitsNow_doesNotWait(Style style) {
    try (Caller caller = bench.caller(style)) {
      assertThat(caller.tryAcquire(Bench.rpm(10), MINUTE).isGranted()).isTrue();
      assertThat(bench.clock.sleepers()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_severalWait_areServedInTheOrderOfArrival(Style style) throws Exception {
    List<String> served = Collections.synchronizedList(new ArrayList<>());
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.Decision decision
              && decision.outcome() == LimiterEvent.Decision.Outcome.ADMITTED) {
            served.add(String.valueOf(decision.amounts()));
          }
        };
    try (Caller caller = bench.caller(style, options().listener(listener))) {
      caller.acquire(Bench.rpm(10));
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int amount : new int[] {3, 1, 4, 2, 5}) {
        waiting.add(caller.begin(Bench.rpm(amount), HOUR));
      }

      long tokens = 0;
      for (int i = 0; i < waiting.size(); i++) {
        tokens += new int[] {3, 1, 4, 2, 5}[i];
        bench.advance(tokens * 6_000 - bench.clock.elapsedMs());
        Await.result(waiting.get(i));
      }

      assertThat(served).containsExactly("rpm=10", "rpm=3", "rpm=1", "rpm=4", "rpm=2", "rpm=5");
      assertThat(bench.consumedMilli("rpm")).isEqualTo(25_000);
      assertThat(bench.balanceMilli("rpm")).isNotNegative();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_manyWait_onlyTheFirstAsks(Style style) throws Exception {
    try (Caller caller = emptied(style)) {
      int before = bench.calls.roundTrips();
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        waiting.add(caller.begin(Bench.rpm(1), HOUR));
      }
      assertThat(bench.calls.roundTrips() - before).as("refused from what was seen").isZero();

      for (CompletableFuture<Lease> each : waiting) {
        bench.advance(6_000);
        Await.result(each);
      }

      int writes = bench.calls.roundTrips(Calls.writes());
      int reads = bench.calls.roundTrips(Calls.reads());
      assertThat(writes).as("one for each admission").isEqualTo(1 + 9);
      assertThat(reads).as("at most one when a turn comes").isLessThanOrEqualTo(1 + 9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_aloneAndWaiting_asksOnceWhenDue(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> waiting = caller.begin(Bench.rpm(5), MINUTE);

      int trips =
          bench.roundTrips(
              () -> {
                bench.clock.advance(MINUTE);
                Await.result(waiting);
              });
      assertThat(trips).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_dueLaterThanItsTime_isRefusedAtOnceWithTheStatus(Style style) {
    try (Caller caller = emptied(style)) {
      int trips =
          bench.roundTrips(
              () -> {
                Rejection rejection =
                    caller
                        .tryAcquire(Bench.rpm(2), Duration.ofMillis(11_997))
                        .rejection()
                        .orElseThrow();
                assertThat(rejection.retryAfterMs()).isEqualTo(11_998);
                assertThat(rejection.statuses())
                    .extracting(LimitStatus::name)
                    .containsExactly("rpm", "tpm");
              });

      assertThat(trips).isZero();
      assertThat(bench.clock.elapsedMs()).isZero();
      assertThat(caller.metrics().refused()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_aboveTheBurst_isRefusedAtOnce(Style style) {
    try (Caller caller = bench.caller(style)) {
      Rejection rejection = caller.tryAcquire(Bench.rpm(11), MINUTE).rejection().orElseThrow();

      assertThat(rejection.retryAfter()).isEmpty();
      assertThat(bench.clock.sleepers()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_behindOthersForTooLong_isRefusedAtOnceCountingThemIn(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> ahead = caller.begin(Bench.rpm(5), MINUTE);

      Rejection rejection =
          caller.tryAcquire(Bench.rpm(1), Duration.ofSeconds(30)).rejection().orElseThrow();

      assertThat(rejection.retryAfterMs()).as("six tokens").isEqualTo(35_998);
      assertThat(rejection.primary().availableMilli()).isEqualTo(-5_000);
      assertThat(ahead).isNotDone();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_behindOthersThatBringOtherLimits_isRefusedAtOnceCountingThemIn(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> ahead = caller.begin(Bench.rpm(5), MINUTE);
      AcquireRequest fewerLimits = Bench.request(LimitSet.of(Bench.RPM)).consume("rpm", 1);

      CompletableFuture<Lease> behind = caller.begin(fewerLimits, Duration.ofSeconds(30));

      assertThatThrownBy(() -> Await.result(behind))
          .isInstanceOfSatisfying(
              RateLimitExceededException.class,
              e -> assertThat(e.rejection().retryAfterMs()).as("six tokens").isEqualTo(35_998));
      assertThat(ahead).isNotDone();
    }
  }

  /** The bucket holds enough for one of them when the first is due. */
  @ParameterizedTest
  @EnumSource
  void acquire_othersBringOtherLimits_areServedInTheOrderOfArrival(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> first = caller.begin(Bench.rpm(2), HOUR);
      CompletableFuture<Lease> second =
          caller.begin(Bench.request(LimitSet.of(Bench.RPM)).consume("rpm", 2), HOUR);

      bench.advance(12_000);
      Await.result(first);
      assertThat(second).isNotDone();

      bench.advance(12_000);
      Await.result(second);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(14_000);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_tokensTakenByOthersUntilTheDeadline_isRefusedWithTheStatus(Style style) {
    try (Caller caller = emptied(style);
        Caller other = bench.caller(style)) {
      CompletableFuture<Lease> waiting = caller.begin(Bench.rpm(1), Duration.ofSeconds(10));
      bench.advance(5_997);
      bench.faults.once(Calls.writes(), Fault.before(() -> other.acquire(Bench.rpm(1))));

      bench.advance(1);

      assertThatThrownBy(() -> Await.result(waiting))
          .isInstanceOfSatisfying(
              RateLimitExceededException.class,
              e -> assertThat(e.rejection().retryAfterMs()).isEqualTo(6_000));
      assertThat(caller.metrics().refused()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_deadlineBehindOthers_isRefusedCountingThemIn(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> ahead = caller.begin(Bench.rpm(10), Duration.ofMinutes(2));
      bench.advance(2_000); // what was seen is too old to say that waiting is in vain
      CompletableFuture<Lease> behind = caller.begin(Bench.rpm(1), Duration.ofSeconds(3));
      assertThat(behind).isNotDone();
      // Somebody who does not wait has a look, so that the state is fresh at the deadline.
      bench.advance(2_900);
      caller.available("key-42", "gpt-4", Bench.RPM, Bench.TPM);
      bench.advance(100);

      assertThatThrownBy(() -> Await.result(behind))
          .isInstanceOfSatisfying(
              RateLimitExceededException.class,
              e ->
                  assertThat(e.rejection().retryAfterMs())
                      .as("eleven tokens")
                      .isGreaterThan(60_000));
      assertThat(ahead).isNotDone();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_deadlineBehindOthersForAnotherLimit_isServed(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> ahead = caller.begin(Bench.rpm(10), Duration.ofMinutes(2));

      CompletableFuture<Lease> behind =
          caller.begin(Bench.request().consume("tpm", 5), Duration.ofSeconds(3));
      bench.advance(3_000);

      assertThat(Await.result(behind).consumed("tpm")).isEqualTo(5);
      assertThat(ahead).isNotDone();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tryAcquire_zeroWait_answersAtOnce(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> ahead = caller.begin(Bench.rpm(1), MINUTE);

      assertThat(caller.tryAcquire(Bench.rpm(1), Duration.ZERO).isGranted()).isFalse();
      assertThat(ahead).isNotDone();
      assertThat(caller.tryAcquire(Bench.request().consume("tpm", 1), Duration.ZERO).isGranted())
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_withoutWait_neverJoinsTheLine(Style style) {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> large = caller.begin(Bench.rpm(10), Duration.ofMinutes(2));
      bench.advance(12_000);

      caller.acquire(Bench.rpm(1));
      assertThat(caller.tryAcquire(Bench.rpm(5)).isGranted()).isFalse();
      assertThat(large).isNotDone();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_lineIsFull_isUnavailableUnderEitherPolicy(Style style) {
    try (Caller caller =
        bench.caller(style, options().maxWaiters(2).onUnavailable(OnUnavailable.ALLOW))) {
      caller.acquire(Bench.rpm(10));
      CompletableFuture<Lease> first = caller.begin(Bench.rpm(1), MINUTE);
      CompletableFuture<Lease> second = caller.begin(Bench.rpm(1), MINUTE);

      assertThatThrownBy(() -> caller.tryAcquire(Bench.rpm(1), MINUTE))
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> assertThat(e.attributes()).containsEntry("maxWaiters", 2));
      assertThat(caller.metrics().waitLinesFull()).isEqualTo(1);
      bench.advance(5_998);
      Await.result(first);
      CompletableFuture<Lease> third = caller.begin(Bench.rpm(1), MINUTE);

      assertThat(caller.metrics().waitLinesFull()).as("one has left").isEqualTo(1);
      assertThat(second).isNotDone();
      assertThat(third).isNotDone();
    }
  }

  @ParameterizedTest
  @EnumSource
  void acquire_storeAwayForTheFirst_failsItAndServesTheNext(Style style) throws Exception {
    try (Caller caller = emptied(style)) {
      CompletableFuture<Lease> first = caller.begin(Bench.rpm(1), MINUTE);
      CompletableFuture<Lease> second = caller.begin(Bench.rpm(1), MINUTE);
      bench.faults.once(Calls.any(), Fault.unreachable());

      bench.advance(5_998);

      assertThatThrownBy(() -> Await.result(first)).isInstanceOf(LimiterUnavailableException.class);
      advanceTo(second, Duration.ofMillis(100));
      assertThat(bench.consumedMilli("rpm")).isEqualTo(11_000);
    }
  }

  @Test
  void acquire_interruptedInTheLine_leavesItAndTheNextIsServed() throws Exception {
    RateLimiter limiter = RateLimiter.create(bench.calls, options().build());
    limiter.acquire(Bench.rpm(10));
    Background<?> first = Background.begin(() -> limiter.acquire(Bench.rpm(9), HOUR));
    Background<?> second = Background.begin(() -> limiter.acquire(Bench.rpm(8), HOUR));
    Background<?> third = Background.begin(() -> limiter.acquire(Bench.rpm(1), HOUR));
    bench.advance(1_000); // so that whose turn it is has to read
    int before = bench.calls.roundTrips();

    second.thread().interrupt();
    assertThatThrownBy(() -> Await.result(second.result()))
        .isInstanceOf(InterruptedException.class);
    assertThat(bench.calls.roundTrips()).isEqualTo(before);
    first.thread().interrupt();
    assertThatThrownBy(() -> Await.result(first.result())).isInstanceOf(InterruptedException.class);

    Await.until(() -> bench.calls.roundTrips() == before + 1, "it is the third's turn");
    bench.clock.awaitSleepers(1);
    bench.advance(4_997);
    assertThat(third.result()).isNotDone();
    bench.advance(1);
    Await.result(third.result());
    assertThat(bench.consumedMilli("rpm")).isEqualTo(11_000);
    limiter.close();
  }

  @Test
  void acquire_interruptedBefore_throwsAndChargesNothing() {
    RateLimiter limiter = RateLimiter.create(bench.calls, options().build());
    limiter.acquire(Bench.rpm(5));
    Background<?> waiting =
        Background.begin(
            () -> {
              Thread.currentThread().interrupt();
              return limiter.acquire(Bench.rpm(1), MINUTE);
            });

    assertThatThrownBy(() -> Await.result(waiting.result()))
        .isInstanceOf(InterruptedException.class);
    assertThat(bench.consumedMilli("rpm")).isEqualTo(5_000);
    assertThat(bench.clock.sleepers()).isZero();
    limiter.close();
  }

  @ParameterizedTest
  @EnumSource
  void acquire_firstIsAsking_thoseBehindDoNot(Style style) throws Exception {
    try (Caller caller = emptied(style)) {
      bench.advance(12_000);
      Gate gate = new Gate();
      bench.faults.once(Calls.writes(), Fault.holdReply(gate));
      CompletableFuture<Lease> first = caller.begin(Bench.rpm(1), MINUTE);
      gate.awaitArrivals(1);
      int before = bench.calls.roundTrips();

      CompletableFuture<Lease> second = caller.begin(Bench.rpm(1), MINUTE);
      assertThat(bench.calls.roundTrips()).isEqualTo(before);
      gate.open();

      Await.result(first);
      Await.result(second);
      assertThat(bench.consumedMilli("rpm")).isEqualTo(12_000);
    }
  }
}
