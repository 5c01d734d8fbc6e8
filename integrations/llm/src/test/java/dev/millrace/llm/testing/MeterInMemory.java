package dev.millrace.llm.testing;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.llm.LimitCharge;
import dev.millrace.llm.LimitShape;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;

/**
 * A meter on a store in memory whose clock stands still, so that what is charged stays charged. A
 * letter is a token, and {@link #EXPECTED} are expected of every answer.
 */
public final class MeterInMemory {
  /** Output tokens that are expected of every answer. */
  public static final int EXPECTED = 20;

  /** Requests and tokens. */
  public static final LimitShape SHAPE =
      LimitShape.of(LimitCharge.requests("rpm"), LimitCharge.tokens("tpm"));

  private final InMemoryStore store = new InMemoryStore();
  private final LimitSet limits;
  private final LimiterOptions options =
      LimiterOptions.builder()
          .time(new ManualClock(1_700_000_000_000L))
          .partitionWriteUnits(1_000_000)
          .build();

  /** One with so many tokens a minute. */
  public MeterInMemory(long tpm) {
    this.limits = LimitSet.of(Limit.perMinute("rpm", 1_000), Limit.perMinute("tpm", tpm));
  }

  /** The meter on a limiter that blocks. */
  public LlmMeter blocking() {
    return builder().build();
  }

  /** The same, to be refined. */
  public LlmMeter.Builder builder() {
    return with(
        LlmMeter.builder(
            RateLimiter.create((call, timeoutMs) -> store.execute(call, timeoutMs), options),
            SHAPE));
  }

  /** The meter on one that does not. */
  public LlmMeter asynchronous() {
    return with(LlmMeter.builder(RateLimiter.createAsync(store, options), SHAPE)).build();
  }

  private LlmMeter.Builder with(LlmMeter.Builder builder) {
    return builder
        .limits(limits)
        .counter((model, text) -> text.length())
        .estimator(
            call -> LlmUsage.of(call.messages().stream().mapToInt(String::length).sum(), EXPECTED));
  }

  /** Whether anything was ever charged. */
  public boolean hasBuckets() {
    return store.size() > 0;
  }

  /** What {@code entityId} has consumed of the tokens of {@code resource}. */
  public long tokens(String entityId, String resource) {
    return new Books(store, SHAPE).consumed(entityId, resource).getOrDefault("tpm", 0L);
  }
}
