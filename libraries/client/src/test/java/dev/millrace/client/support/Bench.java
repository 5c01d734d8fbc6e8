package dev.millrace.client.support;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.Objects;

/**
 * A store in memory that can fail and that remembers what it was asked, a clock that stands still,
 * and one bucket: ten requests a minute, so that a token is six seconds.
 */
public final class Bench {
  public static final long START_MS = 1_700_000_000_000L;
  public static final Limit RPM = Limit.perMinute("rpm", 10);
  public static final Limit TPM = Limit.perMinute("tpm", 1_000);
  public static final LimitSet LIMITS = LimitSet.of(RPM, TPM);
  public static final BucketKey KEY = BucketKey.first("default", "key-42", "gpt-4");

  public final ManualClock clock = new ManualClock(START_MS);
  public final InMemoryStore memory = new InMemoryStore();
  public final FaultyStore faults = FaultyStore.over(memory);
  public final RecordingStore calls = RecordingStore.over(faults);

  public LimiterOptions.Builder options() {
    // The clock stands still: however much is written in no time, no bucket is hot.
    return LimiterOptions.builder().time(clock).partitionWriteUnits(1_000_000);
  }

  /** A limiter: a process of its own, as far as the store can tell. */
  public Caller caller(Style style) {
    return caller(style, options());
  }

  public Caller caller(Style style, LimiterOptions.Builder options) {
    return style.caller(calls, options.build());
  }

  /** A request of the bench's bucket. */
  public static AcquireRequest request() {
    return request(LIMITS);
  }

  public static AcquireRequest request(LimitSet limits) {
    return AcquireRequest.of(KEY.entityId(), KEY.resource()).limits(limits);
  }

  /** A request for so many of the limit {@code rpm}. */
  public static AcquireRequest rpm(long amount) {
    return request().consume("rpm", amount);
  }

  public void advance(long ms) {
    clock.advance(Duration.ofMillis(ms));
  }

  public BucketState state() {
    return Objects.requireNonNull(memory.snapshot(KEY), "no bucket");
  }

  public LimitState limit(String name) {
    return Objects.requireNonNull(state().find(name), name);
  }

  /** The stored balance in millitokens. */
  public long balanceMilli(String limit) {
    return limit(limit).tokensMilli();
  }

  /** What the bucket counted as consumed, in millitokens. */
  public long consumedMilli(String limit) {
    return limit(limit).consumedMilli();
  }

  /** How many round trips {@code action} takes, beside those for stored configuration. */
  public int roundTrips(Runnable action) {
    int before = calls.roundTrips(Calls.lookups().negate());
    action.run();
    return calls.roundTrips(Calls.lookups().negate()) - before;
  }
}
