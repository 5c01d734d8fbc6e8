package dev.millrace.client.limiter;

import static dev.millrace.client.support.LaggingStore.FOR_EVER_MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.LimiterOptions;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.Bench;
import dev.millrace.client.support.Caller;
import dev.millrace.client.support.LaggingStore;
import dev.millrace.client.support.Style;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One time limit bounds an answer through all its stages, not each stage by itself. */
class DeadlineTest {
  private static final long TIMEOUT_MS = 1_000;

  /** For a machine that does other things as well. */
  private static final long MARGIN_MS = 400;

  private final LaggingStore store = new LaggingStore();

  private Caller caller(Style style) {
    return style.caller(
        store,
        LimiterOptions.builder()
            .timeout(Duration.ofMillis(TIMEOUT_MS))
            .correctClock(false)
            .build());
  }

  /** How {@code begun} failed, which must be within the time limit. */
  private static LimiterUnavailableException unavailableInTime(
      long beganNanos, CompletableFuture<Lease> begun) {
    Throwable thrown = catchThrowable(() -> Await.result(begun));
    long tookMs = (System.nanoTime() - beganNanos) / 1_000_000;
    assertThat(thrown).isInstanceOf(LimiterUnavailableException.class);
    assertThat(tookMs).isLessThan(TIMEOUT_MS + MARGIN_MS);
    return (LimiterUnavailableException) thrown;
  }

  @ParameterizedTest
  @EnumSource
  void acquire_slowLookUpThenNoAnswer_isUnavailableWithinOneTimeLimit(Style style) {
    store.takes(call -> call.writes() ? FOR_EVER_MS : 800);
    try (Caller caller = caller(style)) {
      long began = System.nanoTime();

      LimiterUnavailableException thrown = unavailableInTime(began, caller.begin(Bench.rpm(1)));

      assertThat(thrown.attributes().get("failure")).isEqualTo(StoreFailure.Kind.TIMED_OUT);
    }
  }

  /** One bucket answers and is given back, the other does not, and neither does the giving back. */
  @ParameterizedTest
  @EnumSource
  void acquire_oneOfTwoBucketsHangs_isUnavailableWithinOneTimeLimit(Style style) {
    AcquireRequest request = Bench.rpm(1).and("image", Bench.LIMITS, Map.of("rpm", 1L));
    try (Caller caller = caller(style)) {
      caller.acquire(request);
      int[] writes = new int[1];
      store.takes(call -> call.writes() && isOfFirst(call) && writes[0]++ == 0 ? 0 : FOR_EVER_MS);
      long began = System.nanoTime();

      unavailableInTime(began, caller.begin(request));
    }
  }

  private static boolean isOfFirst(StoreCall call) {
    return call instanceof StoreCall.Write write
        && write.plan().key().resource().equals(Bench.KEY.resource());
  }

  /** The second waits for the first one's write, and then for its own. */
  @ParameterizedTest
  @EnumSource(names = {"BLOCKING", "ASYNC"})
  void acquire_queuedBehindAWriteThatHangs_isUnavailableWithinOneTimeLimit(Style style) {
    try (Caller caller = caller(style)) {
      caller.acquire(Bench.rpm(1));
      store.takes(call -> FOR_EVER_MS);
      CompletableFuture<Lease> first = caller.begin(Bench.rpm(1));
      long began = System.nanoTime();
      CompletableFuture<Lease> second = caller.begin(Bench.rpm(1));
      CompletableFuture<Lease> third = caller.begin(Bench.rpm(1));

      unavailableInTime(began, first);
      unavailableInTime(began, second);
      unavailableInTime(began, third);
    }
  }

  /** What has come too late is not reported as others' doing. */
  @ParameterizedTest
  @EnumSource
  void acquire_storeThatIsSlow_isCalledSlowNotContended(Style style) throws Exception {
    store.takes(call -> 350);
    try (Caller caller = caller(style)) {
      CompletableFuture<?>[] begun = new CompletableFuture<?>[8];
      for (int i = 0; i < begun.length; i++) {
        begun[i] = caller.begin(Bench.rpm(0));
      }
      for (CompletableFuture<?> one : begun) {
        Throwable thrown = catchThrowable(() -> Await.result(one));
        if (thrown instanceof LimiterUnavailableException unavailable) {
          assertThat(unavailable.attributes().get("failure"))
              .isEqualTo(StoreFailure.Kind.TIMED_OUT);
        } else {
          assertThat(thrown).isNull();
        }
      }
    }
  }
}
