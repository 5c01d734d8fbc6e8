package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.LimiterUnavailableException;
import dev.millrace.RateLimitExceededException;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.Style;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A piece of work around which everything is done. */
class CallTest {
  private final Bench bench = new Bench();

  @ParameterizedTest
  @EnumSource
  void call_bodyReturns_settlesAndReturnsIt(Style style) {
    try (Caller caller = bench.caller(style)) {
      String result =
          caller.call(
              Bench.rpm(1).consume("tpm", 500),
              lease -> {
                lease.adjust("tpm", -100);
                return "answer";
              });

      assertThat(result).isEqualTo("answer");
      assertThat(bench.balanceMilli("rpm")).isEqualTo(9_000);
      assertThat(bench.consumedMilli("tpm")).isEqualTo(400_000);
      assertThat(caller.metrics().settled()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_refused_doesNotRunTheBody(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.acquire(Bench.rpm(10));
      AtomicBoolean ran = new AtomicBoolean();

      assertThatThrownBy(() -> caller.call(Bench.rpm(1), lease -> ran.getAndSet(true)))
          .isInstanceOf(RateLimitExceededException.class);
      assertThat(ran).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_bodyThrows_givesEverythingBackAndThrowsTheSame(Style style) {
    try (Caller caller = bench.caller(style)) {
      for (Throwable thrown :
          new Throwable[] {
            new IllegalStateException("unchecked"),
            new IOException("checked"),
            new AssertionError("an error"),
            new StackOverflowError(),
            new InterruptedException()
          }) {
        Throwable caught =
            catchThrowable(
                () ->
                    caller.call(
                        Bench.rpm(4).consume("tpm", 100),
                        lease -> {
                          lease.consume("rpm", 2);
                          lease.adjust("tpm", 50);
                          throw Await.rethrown(thrown);
                        }));

        assertThat(caught).isSameAs(thrown);
        assertThat(caught.getSuppressed()).isEmpty();
        assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
        assertThat(bench.consumedMilli("rpm")).isZero();
        assertThat(bench.consumedMilli("tpm")).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_refundMayBeWritten_isSuppressedInWhatTheBodyThrew(Style style) {
    try (Caller caller = bench.caller(style)) {
      Error thrown = new AssertionError("the body's");

      Throwable caught =
          catchThrowable(
              () ->
                  caller.call(
                      Bench.rpm(4),
                      lease -> {
                        bench.faults.once(Calls.writes(), Fault.loseRequest());
                        throw thrown;
                      }));

      assertThat(caught).isSameAs(thrown);
      assertThat(caught.getSuppressed()).hasSize(1);
      assertThat(caught.getSuppressed()[0])
          .isInstanceOfSatisfying(
              LimiterUnavailableException.class,
              e -> assertThat(e.attributes()).containsEntry("mayBeCharged", true));
      assertThat(caller.metrics().settleFailures()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void call_bodyEndsTheLeaseItself_isNotSettledAgain(Style style) {
    try (Caller caller = bench.caller(style)) {
      caller.call(
          Bench.rpm(4),
          lease -> {
            lease.cancel();
            return 0;
          });

      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
    }
  }

  @Test
  void call_asyncBodyThrowsAtOnce_givesBackAsWell() {
    try (RateLimiter limiter = RateLimiter.createAsync(bench.calls, bench.options().build())) {
      Error thrown = new AssertionError("not even a stage");

      Throwable caught =
          catchThrowable(
              () ->
                  Await.result(
                      limiter.callAsync(
                          Bench.rpm(4),
                          lease -> {
                            throw thrown;
                          })));

      assertThat(caught).isSameAs(thrown);
      assertThat(bench.balanceMilli("rpm")).isEqualTo(10_000);
    }
  }

  @Test
  void call_asyncBodyTakesItsTime_settlesWhenItIsDone() {
    try (RateLimiter limiter = RateLimiter.createAsync(bench.calls, bench.options().build())) {
      CompletableFuture<String> work = new CompletableFuture<>();
      var result =
          limiter.callAsync(
              Bench.rpm(4),
              lease -> {
                lease.adjust("rpm", 1);
                return work;
              });
      assertThat(bench.balanceMilli("rpm")).isEqualTo(6_000);
      assertThat(result.toCompletableFuture()).isNotDone();

      work.complete("done");

      assertThat(Await.result(result)).isEqualTo("done");
      assertThat(bench.balanceMilli("rpm")).isEqualTo(5_000);
    }
  }
}
