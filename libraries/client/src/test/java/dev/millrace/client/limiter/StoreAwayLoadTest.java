package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A minute without the store under 200 requests a second, in virtual time. */
class StoreAwayLoadTest {
  private static final int EVERY_MS = 5;
  private static final int ENTITIES = 20;
  private static final int TRIP_MS = 2;
  private static final int AWAY_FROM_MS = 2_000;
  private static final int BACK_AT_MS = AWAY_FROM_MS + 60_000;
  private static final int END_MS = BACK_AT_MS + 5_000;
  private static final Limit LIMIT = Limit.perMinute("rpm", 1_000_000);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final InMemoryStore memory = new InMemoryStore();
  private final List<Answer> answers = new ArrayList<>();
  private boolean away;
  private int waiting;

  private record Answer(long askedMs, long endedMs, boolean granted) {
    long tookMs() {
      return endedMs - askedMs;
    }
  }

  /** Frozen: nothing comes back, and each call takes all the time that it is given. */
  private CompletionStage<StoreReply> execute(StoreCall call, long timeoutMs) {
    if (!away) {
      return clock.after(TRIP_MS).thenApply(arrived -> memory.execute(call, timeoutMs));
    }
    StoreFailure failure = new StoreFailure(StoreFailure.Kind.TIMED_OUT, null);
    return clock
        .after(timeoutMs)
        .thenApply(
            over ->
                call.writes()
                    ? new StoreReply.Unknown(failure, Receipt.NONE)
                    : new StoreReply.NotApplied(failure, Receipt.NONE));
  }

  private void ask(RateLimiter limiter, int entity) {
    long askedMs = clock.elapsedMs();
    waiting++;
    AcquireRequest request =
        AcquireRequest.of("key-" + entity, "gpt-4").limits(LIMIT).consume("rpm", 1);
    CompletionStage<?> unused =
        limiter
            .acquireAsync(request)
            .whenComplete(
                (lease, failure) -> {
                  waiting--;
                  answers.add(new Answer(askedMs, clock.elapsedMs(), failure == null));
                });
  }

  @Test
  void acquire_storeFrozenForAMinute_isAnsweredAtOnceAndServedSoonAfterItIsBack() {
    AsyncStore store = this::execute;
    LimiterOptions options =
        LimiterOptions.builder().time(clock).partitionWriteUnits(1_000_000).build();
    int mostWaiting = 0;
    int mostWaitingLater = 0;
    try (RateLimiter limiter = RateLimiter.createAsync(store, options)) {
      for (int ms = 0; ms < END_MS; ms += EVERY_MS) {
        away = AWAY_FROM_MS <= ms && ms < BACK_AT_MS;
        ask(limiter, ms / EVERY_MS % ENTITIES);
        mostWaiting = Math.max(mostWaiting, waiting);
        if (AWAY_FROM_MS + 3_000 <= ms && ms < BACK_AT_MS) {
          mostWaitingLater = Math.max(mostWaitingLater, waiting);
        }
        clock.advance(Duration.ofMillis(EVERY_MS));
      }
      clock.advance(Duration.ofSeconds(2));
    }

    assertThat(answers).hasSize(END_MS / EVERY_MS);
    assertThat(answers).allMatch(answer -> answer.tookMs() <= 2_000, "within the time limit");
    assertThat(answers)
        .filteredOn(a -> AWAY_FROM_MS + 3_000 <= a.askedMs() && a.askedMs() < BACK_AT_MS)
        .hasSize((60_000 - 3_000) / EVERY_MS)
        .allMatch(answer -> answer.tookMs() <= 50, "at once");
    assertThat(mostWaiting).as("of those that found out").isLessThanOrEqualTo(420);
    assertThat(mostWaitingLater).as("threads, if each waited on one").isLessThanOrEqualTo(1);
    assertThat(answers)
        .filteredOn(a -> a.askedMs() >= BACK_AT_MS + 2_000)
        .allMatch(Answer::granted, "is granted");
  }
}
