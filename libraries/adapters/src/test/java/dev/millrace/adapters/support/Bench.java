package dev.millrace.adapters.support;

import dev.millrace.AcquireRequest;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.util.Map;
import java.util.Objects;

/** A limiter in memory whose clock stands, and its books. */
public final class Bench implements AutoCloseable {
  /** Five calls and a thousand tokens a day; one call and a hundred tokens are asked for. */
  public static final AcquireRequest REQUEST =
      AcquireRequest.of("ann", "model")
          .limits(Limit.perDay("calls", 5), Limit.perDay("tokens", 1_000))
          .consume("calls", 1)
          .consume("tokens", 100);

  public final ManualClock clock = new ManualClock(19_675 * 86_400_000L);
  private final InMemoryStore store = new InMemoryStore();
  public final RateLimiter limiter =
      RateLimiter.create(store, LimiterOptions.builder().time(clock).build());

  /** Takes what is left of the calls. */
  public Bench exhausted() {
    limiter.acquire(REQUEST.anew(Map.of("calls", 5L))).close();
    return this;
  }

  /** What was consumed since the bucket began; 0 when there is none. */
  public long consumed(String limit) {
    BucketState bucket = store.snapshot(BucketKey.first("default", "ann", "model"));
    return bucket == null
        ? 0
        : Objects.requireNonNull(bucket.find(limit)).consumedMilli() / Limit.MILLI;
  }

  @Override
  public void close() {
    limiter.close();
  }
}
