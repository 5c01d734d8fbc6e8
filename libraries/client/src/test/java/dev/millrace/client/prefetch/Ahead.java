package dev.millrace.client.prefetch;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.BucketKey;
import dev.millrace.Lease;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.client.support.AdmissionLog;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.Objects;

/**
 * A limiter whose store answers at once and whose time stands still: what the limiter does later,
 * it does when the clock is moved, on the thread of the test.
 */
final class Ahead {
  static final BucketKey KEY = BucketKey.first("default", "key-1", "gpt-4");

  final ManualClock clock = new ManualClock(1_800_000_000_000L);
  final InMemoryStore contents = new InMemoryStore();
  final RecordingStore store = RecordingStore.over(contents);

  RateLimiter limiter(LimiterOptions.Builder options) {
    return RateLimiter.createAsync(store, options.time(clock).build());
  }

  static boolean admitted(RateLimiter limiter, AcquireRequest request) {
    return limiter.tryAcquireAsync(request).toCompletableFuture().join()
        instanceof Acquisition.Granted;
  }

  static Lease acquire(RateLimiter limiter, AcquireRequest request) {
    return limiter.acquireAsync(request).toCompletableFuture().join();
  }

  /** So many calls at this moment. */
  void call(RateLimiter limiter, AcquireRequest request, int calls, AdmissionLog log) {
    long admitted = 0;
    for (int i = 0; i < calls; i++) {
      admitted += admitted(limiter, request) ? 1 : 0;
    }
    log.add(clock.nowMs(), clock.nowMs(), admitted * Limit.MILLI);
  }

  void tick(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  LimitState limit(String name) {
    return Objects.requireNonNull(Objects.requireNonNull(contents.snapshot(KEY)).find(name));
  }

  int writes() {
    return store.roundTrips(Calls.writes());
  }
}
