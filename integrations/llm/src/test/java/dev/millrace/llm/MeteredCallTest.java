package dev.millrace.llm;

import static dev.millrace.llm.Meters.amounts;
import static dev.millrace.llm.Meters.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.RateLimitExceededException;
import dev.millrace.llm.testing.Books;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeteredCallTest {
  private final Meters meters = new Meters();

  private MeteredCall begin(Meters.Kind kind) {
    return meters.builder(kind).build().begin(call(30));
  }

  @ParameterizedTest
  @EnumSource
  void begin_reservesTheEstimate(Meters.Kind kind) {
    MeteredCall call = begin(kind);

    assertThat(meters.consumed()).isEqualTo(amounts(1, 50));
    assertThat(call.charged("tpm")).isEqualTo(50);
    assertThat(call.hasEnded()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void end_withUsage_settlesUpAndDown(Meters.Kind kind) {
    begin(kind).end(CallEnd.used(LlmUsage.of(28, 3)));
    begin(kind).end(CallEnd.used(LlmUsage.of(28, 300)));

    assertThat(meters.consumed()).isEqualTo(amounts(2, 31 + 328));
  }

  @ParameterizedTest
  @EnumSource
  void end_withUsageAboveEverything_goesIntoDebt(Meters.Kind kind) {
    begin(kind).end(CallEnd.used(LlmUsage.of(28, 5_000)));

    assertThat(meters.consumed()).isEqualTo(amounts(1, 5_028));
    assertThatThrownBy(() -> begin(kind)).isInstanceOf(RateLimitExceededException.class);
  }

  @ParameterizedTest
  @EnumSource
  void end_withoutUsage_countsTheAnswer(Meters.Kind kind) {
    begin(kind).end(CallEnd.answered("twelve chars"));

    assertThat(meters.consumed()).isEqualTo(amounts(1, 30 + 11));
  }

  @ParameterizedTest
  @EnumSource
  void end_nothingUsed_givesEverythingBack(Meters.Kind kind) {
    begin(kind).end(CallEnd.nothingUsed());

    assertThat(meters.consumed()).isEqualTo(amounts(0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void end_cancelled_chargesWhatWasProduced(Meters.Kind kind) {
    MeteredCall call = begin(kind);
    call.produced("ab");
    call.produced(" cd");
    call.end(CallEnd.cancelled());

    assertThat(meters.consumed()).isEqualTo(amounts(1, 34));
  }

  @ParameterizedTest
  @EnumSource
  void end_unknown_keepsTheReservation(Meters.Kind kind) {
    MeteredCall call = begin(kind);
    call.endQuietly(
        () -> {
          throw new IllegalArgumentException("outputTokens -1");
        });

    assertThat(call.hasEnded()).isTrue();
    assertThat(meters.consumed()).isEqualTo(amounts(1, 50));
  }

  @ParameterizedTest
  @EnumSource
  void end_estimatorThatThrows_isSettledAllTheSame(Meters.Kind kind) {
    CostEstimator broken =
        new CostEstimator() {
          @Override
          public LlmUsage estimate(LlmCall call) {
            return LlmUsage.of(30, 20);
          }

          @Override
          public void observe(LlmCall call, LlmUsage estimate, LlmUsage usage) {
            throw new IllegalStateException("disk full");
          }
        };

    meters.builder(kind).estimator(broken).build().begin(call(30)).end(CallEnd.answered("abc"));

    assertThat(meters.consumed()).isEqualTo(amounts(1, 33));
  }

  @ParameterizedTest
  @EnumSource
  void end_again_doesNothing(Meters.Kind kind) {
    MeteredCall call = begin(kind);

    assertThat(call.end(CallEnd.cancelled())).isTrue();
    assertThat(call.end(CallEnd.used(LlmUsage.of(500, 500)))).isFalse();
    assertThat(call.end(CallEnd.nothingUsed())).isFalse();
    call.produced("late");

    assertThat(meters.consumed()).isEqualTo(amounts(1, 30));
  }

  @ParameterizedTest
  @EnumSource
  void produced_beyondTheReservation_isChargedAhead(Meters.Kind kind) {
    MeteredCall call = begin(kind);
    call.produced("a".repeat(20));
    assertThat(call.charged("tpm")).isEqualTo(50);

    call.produced("b");
    assertThat(call.charged("tpm")).isEqualTo(61);
    assertThat(meters.consumed()).isEqualTo(amounts(1, 61));

    call.produced("c".repeat(9));
    assertThat(call.charged("tpm")).isEqualTo(61);
    call.end(CallEnd.answered());
    assertThat(meters.consumed()).isEqualTo(amounts(1, 60));
  }

  @ParameterizedTest
  @EnumSource
  void produced_extensionRefused_goesOnAndIsSettled(Meters.Kind kind) {
    MeteredCall call = begin(kind);
    MeteredCall other = meters.builder(kind).build().begin(call(525)); // leaves 5 of 600

    call.produced("a".repeat(90));
    assertThat(call.charged("tpm")).isEqualTo(50);
    call.end(CallEnd.answered());
    other.end(CallEnd.nothingUsed());

    assertThat(meters.consumed()).isEqualTo(amounts(1, 120));
  }

  @ParameterizedTest
  @EnumSource
  void begin_estimateAboveTheLimit_reservesAllThereIs(Meters.Kind kind) {
    MeteredCall call = meters.builder(kind).build().begin(call(5_000));

    assertThat(call.charged("tpm")).isEqualTo(600);
    call.end(CallEnd.used(LlmUsage.of(5_000, 7)));
    assertThat(meters.consumed()).isEqualTo(amounts(1, 5_007));
  }

  @ParameterizedTest
  @EnumSource
  void begin_nothingLeft_isRefused(Meters.Kind kind) {
    LlmMeter meter = meters.builder(kind).build();
    meter.begin(call(580));

    assertThatThrownBy(() -> meter.begin(call(1)))
        .isInstanceOf(RateLimitExceededException.class)
        .hasMessageContaining("tpm");
    assertThat(meters.consumed()).isEqualTo(amounts(1, 600));
  }

  @Test
  void begin_withAWait_waitsForTokens() throws InterruptedException {
    LlmMeter meter = meters.builder(Meters.Kind.BLOCKING).maxWait(Duration.ofSeconds(30)).build();
    meter.begin(call(580));
    CompletableFuture<MeteredCall> waiting =
        CompletableFuture.supplyAsync(() -> meter.begin(call(30)));

    meters.clock.awaitSleepers(1);
    meters.clock.advance(Duration.ofSeconds(6)); // ten tokens a second return

    assertThat(waiting.join().charged("tpm")).isEqualTo(50);
  }

  @Test
  void callTimeout_unfinishedCall_isSettledWithWhatIsKnown() {
    MeteredCall call =
        meters
            .builder(Meters.Kind.BLOCKING)
            .callTimeout(Duration.ofMillis(1))
            .build()
            .begin(call(30));

    Books.await("the call is ended", call::hasEnded);
    Books.await("it is settled", () -> meters.consumed().equals(amounts(1, 30)));
    assertThat(call.end(CallEnd.nothingUsed())).isFalse();
  }

  @Test
  void timedOut_keepingTheReservation_chargesWhatWasReserved() {
    LlmMeter meter =
        meters.builder(Meters.Kind.BLOCKING).onTimeout(OnTimeout.KEEP_RESERVATION).build();
    MeteredCall call = meter.begin(call(30));
    call.produced("abc");
    call.end(CallEnd.timedOut());
    assertThat(meters.consumed()).isEqualTo(amounts(1, 50));

    MeteredCall longer = meter.begin(call(30));
    longer.produced("a".repeat(40));
    longer.end(CallEnd.timedOut());
    assertThat(meters.consumed()).isEqualTo(amounts(2, 50 + 70));
  }

  @Test
  void endOf_failure_dependsOnWhatWasProduced() {
    MeteredCall call = begin(Meters.Kind.BLOCKING);

    assertThat(call.endOf(new IllegalStateException())).isEqualTo(CallEnd.nothingUsed());
    assertThat(call.endOf(new RuntimeException(new SocketTimeoutException())))
        .isEqualTo(CallEnd.timedOut());
    call.produced("a");
    assertThat(call.endOf(new IllegalStateException())).isEqualTo(CallEnd.cancelled());
  }

  @Test
  void call_bodyThrows_givesBackAndThrowsOn() {
    LlmMeter meter = meters.builder(Meters.Kind.BLOCKING).build();
    IllegalStateException failure = new IllegalStateException("503");

    assertThatThrownBy(
            () ->
                meter.call(
                    call(30),
                    () -> {
                      throw failure;
                    },
                    answer -> CallEnd.answered("")))
        .isSameAs(failure);

    assertThat(meters.consumed()).isEqualTo(amounts(0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void callAsync_answered_isSettledBeforeItCompletes(Meters.Kind kind) {
    LlmMeter meter = meters.builder(kind).build();
    CompletableFuture<String> answer = new CompletableFuture<>();

    CompletableFuture<String> result = meter.callAsync(call(30), () -> answer, CallEnd::answered);
    assertThat(result).isNotDone();
    answer.complete("four");

    assertThat(result.join()).isEqualTo("four");
    assertThat(meters.consumed()).isEqualTo(amounts(1, 34));
  }

  @ParameterizedTest
  @EnumSource
  void callAsync_cancelled_cancelsAndChargesTheInput(Meters.Kind kind) {
    LlmMeter meter = meters.builder(kind).build();
    CompletableFuture<String> answer = new CompletableFuture<>();

    meter.callAsync(call(30), () -> answer, CallEnd::answered).cancel(true);

    assertThat(answer).isCancelled();
    assertThat(meters.consumed()).isEqualTo(amounts(1, 30));
  }

  @ParameterizedTest
  @EnumSource
  void callAsync_failed_isGivenBack(Meters.Kind kind) {
    LlmMeter meter = meters.builder(kind).build();

    CompletableFuture<String> result =
        meter.callAsync(
            call(30),
            () -> CompletableFuture.failedFuture(new IllegalStateException("503")),
            CallEnd::answered);

    assertThat(result).isCompletedExceptionally();
    assertThatThrownBy(result::join).hasCauseInstanceOf(IllegalStateException.class);
    assertThat(meters.consumed()).isEqualTo(amounts(0, 0));
  }

  @Test
  void callAsync_refused_failsWithTheRefusal() {
    LlmMeter meter = meters.builder(Meters.Kind.ASYNCHRONOUS).build();
    AtomicInteger asked = new AtomicInteger();
    meter.begin(call(580));

    CompletableFuture<String> result =
        meter.callAsync(
            call(30),
            () -> CompletableFuture.completedFuture("asked " + asked.incrementAndGet()),
            CallEnd::answered);

    assertThatThrownBy(result::join).hasCauseInstanceOf(RateLimitExceededException.class);
    assertThat(asked).hasValue(0);
  }

  @Test
  void limits_ofTheCall_areThoseThatRefuse() {
    LlmMeter meter =
        meters
            .builder(Meters.Kind.BLOCKING)
            .limits(LimitSet.of(Limit.perMinute("rpm", 1), Limit.perMinute("tpm", 60)))
            .build();
    meter.begin(call(30)).end(CallEnd.used(LlmUsage.of(1, 1)));

    assertThatThrownBy(() -> meter.begin(call(1))).hasMessageContaining("rpm");
  }

  @Test
  void builder_badValues_areRefused() {
    LlmMeter.Builder builder = meters.builder(Meters.Kind.BLOCKING);

    assertThatThrownBy(() -> builder.maxWait(Duration.ofSeconds(-1)))
        .hasMessage("maxWait PT-1S must not be negative");
    assertThatThrownBy(() -> builder.callTimeout(Duration.ZERO))
        .hasMessage("callTimeout PT0S must be positive");
    assertThatThrownBy(() -> builder.extensionTokens(-1))
        .hasMessageStartingWith("extensionTokens -1");
  }
}
