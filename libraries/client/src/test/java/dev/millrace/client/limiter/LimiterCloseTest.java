package dev.millrace.client.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.CloseReport;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterEvent;
import dev.millrace.LimiterListener;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.Settlement;
import dev.millrace.client.support.Await;
import dev.millrace.client.support.LaggingStore;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.Gate;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A limiter that is closed writes down all that waits, within one time limit. */
class LimiterCloseTest {
  private static final int MANY = 20_000;
  private static final Duration PATIENT = Duration.ofSeconds(30);

  private final InMemoryStore memory = new InMemoryStore();
  private final FaultyStore faults = FaultyStore.over(memory);
  private final ManualClock clock = new ManualClock(1_800_000_000_000L);

  private static AcquireRequest one(int key) {
    return AcquireRequest.of("key-" + key, "gpt-4")
        .limits(Limit.perMinute("tpm", 1_000))
        .consume("tpm", 1);
  }

  private static LimiterOptions.Builder deferred() {
    return LimiterOptions.builder().settlement(Settlement.DEFERRED).maxDefer(Duration.ofMinutes(1));
  }

  /** Without the asynchronous half: writes for which no caller waits need threads. */
  private static BlockingStore blocksOnly(BlockingStore store) {
    return (call, timeoutMs) -> store.execute(call, timeoutMs);
  }

  private static void spend(RateLimiter limiter, int key) {
    try (Lease lease = limiter.acquire(one(key))) {
      lease.adjust("tpm", 1);
    }
  }

  private static long consumed(InMemoryStore store, int keys) {
    long milli = 0;
    for (int i = 0; i < keys; i++) {
      BucketState state =
          Objects.requireNonNull(store.snapshot(BucketKey.first("default", "key-" + i, "gpt-4")));
      milli += Objects.requireNonNull(state.find("tpm")).consumedMilli();
    }
    return milli / Limit.MILLI;
  }

  /** Most of the buckets were forgotten meanwhile: 2,900 of these amounts survived before. */
  @Test
  void close_manyDeferredAmountsOfForgottenBuckets_areAllWritten() {
    RateLimiter limiter =
        RateLimiter.create(blocksOnly(memory), deferred().maxMirrors(100).build());
    for (int i = 0; i < MANY; i++) {
      spend(limiter, i);
    }
    assertThat(consumed(memory, MANY)).isEqualTo(MANY);

    CloseReport report = limiter.close(PATIENT);

    assertThat(report.isComplete()).isTrue();
    assertThat(consumed(memory, MANY)).isEqualTo(2 * MANY);
    assertThat(limiter.metrics().settlementsPending()).isZero();
  }

  @Test
  void closeAsync_manyDeferredAmountsOfForgottenBuckets_areAllWritten() {
    RateLimiter limiter = RateLimiter.createAsync(memory, deferred().maxMirrors(100).build());
    for (int i = 0; i < MANY; i++) {
      spend(limiter, i);
    }

    assertThat(Await.result(limiter.closeAsync(PATIENT)).isComplete()).isTrue();

    assertThat(consumed(memory, MANY)).isEqualTo(2 * MANY);
  }

  @Test
  void close_bucketForgotten_isWritten() {
    RateLimiter limiter = RateLimiter.create(memory, deferred().build());
    spend(limiter, 0);
    limiter.forgetBuckets();

    limiter.close();

    assertThat(consumed(memory, 1)).isEqualTo(2);
  }

  /** Tokens that were charged ahead of their use go back, also those of a forgotten bucket. */
  @Test
  void close_tokensHeldAheadForAForgottenBucket_areGivenBack() {
    LimiterOptions options =
        LimiterOptions.builder().prefetch(Duration.ofMillis(100)).time(clock).build();
    RateLimiter limiter = RateLimiter.createAsync(memory, options);
    int admitted = 0;
    for (int i = 0; i < 300; i++) {
      clock.advance(Duration.ofMillis(1));
      admitted += limiter.tryAcquireAsync(one(0)).toCompletableFuture().isDone() ? 1 : 0;
    }
    assertThat(consumed(memory, 1)).as("some are held ahead").isGreaterThan(admitted);
    limiter.forgetBuckets();

    limiter.close();

    assertThat(consumed(memory, 1)).isEqualTo(admitted);
  }

  /** Each write takes 200 ms: one after the other they took 10 s. */
  @Test
  void close_fiftyBucketsOnASlowStore_areWrittenAtTheSameTime() {
    LaggingStore slow = new LaggingStore();
    RateLimiter limiter = RateLimiter.create(blocksOnly(slow), deferred().build());
    for (int i = 0; i < 50; i++) {
      spend(limiter, i);
    }
    slow.takes(call -> call.writes() ? 200 : 0);
    long before = System.nanoTime();

    CloseReport report = limiter.close(PATIENT);

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
    assertThat(report.isComplete()).isTrue();
    assertThat(consumed(slow.memory, 50)).isEqualTo(100);
  }

  @Test
  void closeAsync_writeIsUnderWay_isNotDoneBefore() {
    RateLimiter limiter = RateLimiter.createAsync(faults, deferred().time(clock).build());
    spend(limiter, 0);
    Gate gate = new Gate();
    faults.once(Calls.writes(), Fault.holdRequest(gate));

    CompletableFuture<CloseReport> closed = limiter.closeAsync().toCompletableFuture();

    assertThat(closed).isNotDone();
    gate.open();
    assertThat(Await.result(closed).isComplete()).isTrue();
    assertThat(consumed(memory, 1)).isEqualTo(2);
  }

  @Test
  void closeAsync_writeThrottled_isTriedAgainUntilItIsWritten() {
    RateLimiter limiter = RateLimiter.createAsync(faults, deferred().time(clock).build());
    spend(limiter, 0);
    for (int i = 0; i < 5; i++) {
      faults.once(Calls.writes(), Fault.throttle());
    }

    CompletableFuture<CloseReport> closed = limiter.closeAsync().toCompletableFuture();
    clock.advance(Duration.ofMillis(500));

    assertThat(closed).isDone();
    assertThat(consumed(memory, 1)).isEqualTo(2);
  }

  /** Dead, and with a clock that stands still: the time limit of the thread that waits counts. */
  @Test
  void close_storeIsDead_returnsInTimeAndReportsWhatIsLeft() {
    List<Long> told = new ArrayList<>();
    LimiterListener listener =
        event -> {
          if (event instanceof LimiterEvent.Notice notice
              && notice.kind() == LimiterEvent.Notice.Kind.CLOSED_INCOMPLETE) {
            told.add(notice.amount());
          }
        };
    RateLimiter limiter =
        RateLimiter.create(
            blocksOnly(faults),
            deferred().listener(listener).timeout(Duration.ofMillis(100)).build());
    spend(limiter, 0);
    spend(limiter, 1);
    faults.always(Calls.any(), Fault.unreachable());
    long before = System.nanoTime();

    CloseReport report = limiter.close(Duration.ofMillis(300));

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
    assertThat(report.unwritten())
        .extracting(left -> left.key().entityId() + " " + left.amounts())
        .containsExactlyInAnyOrder("key-0 tpm=1", "key-1 tpm=1");
    assertThat(report.unwritten())
        .allMatch(left -> !left.failure().equals("BROKEN"))
        .noneMatch(CloseReport.Unwritten::mayBeWritten);
    assertThat(told).containsExactly(2L);
    assertThat(limiter.metrics().settlementsGivenUp()).isEqualTo(2);
    assertThat(limiter.metrics().settlementsPending()).isZero();
    assertThat(limiter.close(Duration.ofMillis(300))).isEqualTo(report);
  }

  @Test
  void closeAsync_deadlineIsOver_reportsWritesThatAreUnderWay() {
    RateLimiter limiter = RateLimiter.createAsync(faults, deferred().time(clock).build());
    spend(limiter, 0);
    Gate gate = new Gate();
    faults.once(Calls.writes(), Fault.holdRequest(gate));

    CompletableFuture<CloseReport> closed =
        limiter.closeAsync(Duration.ofSeconds(1)).toCompletableFuture();
    clock.advance(Duration.ofMillis(999));
    assertThat(closed).isNotDone();
    clock.advance(Duration.ofMillis(1));

    assertThat(Await.result(closed)).isEqualTo(new CloseReport(List.of(), 1));
  }

  @Test
  void close_nothingWaits_isDoneAtOnce() {
    RateLimiter limiter = RateLimiter.createAsync(memory, deferred().time(clock).build());

    assertThat(limiter.closeAsync().toCompletableFuture())
        .isCompletedWithValueMatching(CloseReport::isComplete);
  }
}
