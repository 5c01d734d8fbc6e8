package dev.millrace.llm;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.llm.testing.Books;
import dev.millrace.testkit.FaultyStore;
import dev.millrace.testkit.InMemoryStore;
import dev.millrace.testkit.ManualClock;
import java.util.Map;

/**
 * A meter on a store in memory, whose clock stands still: a word of one letter is a token, and 20
 * tokens are expected of every answer.
 */
final class Meters {
  static final LimitShape SHAPE =
      LimitShape.of(LimitCharge.requests("rpm"), LimitCharge.tokens("tpm"));
  static final LimitSet LIMITS =
      LimitSet.of(Limit.perMinute("rpm", 60), Limit.perMinute("tpm", 600));

  final ManualClock clock = new ManualClock(1_700_000_000_000L);
  final InMemoryStore memory = new InMemoryStore();
  final FaultyStore faults = FaultyStore.over(memory);
  final Books books = new Books(memory, SHAPE);

  /** Which kind of limiter a meter is on. */
  enum Kind {
    BLOCKING,
    ASYNCHRONOUS
  }

  static final CostEstimator TWENTY =
      call -> LlmUsage.of(tokens(String.join(" ", call.messages())), 20);

  private Runnable close = () -> {};

  LlmMeter.Builder builder(Kind kind) {
    LimiterOptions options =
        LimiterOptions.builder().time(clock).partitionWriteUnits(1_000_000).build();
    RateLimiter limiter =
        kind == Kind.BLOCKING
            ? RateLimiter.create((call, timeoutMs) -> faults.execute(call, timeoutMs), options)
            : RateLimiter.createAsync(faults, options);
    close = limiter::close;
    return LlmMeter.builder(limiter, SHAPE)
        .limits(LIMITS)
        .counter((model, text) -> tokens(text))
        .estimator(TWENTY)
        .extensionTokens(10);
  }

  /** Closes the limiter of the last builder, which writes what waits. */
  void closeLimiter() {
    close.run();
  }

  /** Letters, so that a text's tokens are those of its pieces. */
  static long tokens(String text) {
    return text.chars().filter(c -> c != ' ').count();
  }

  static LlmCall call(int inputTokens) {
    return LlmCall.chat("acme", "m").message("a".repeat(inputTokens)).build();
  }

  Map<String, Long> consumed() {
    return books.consumed("acme", "m");
  }

  static Map<String, Long> amounts(long rpm, long tpm) {
    return Map.of("rpm", rpm, "tpm", tpm);
  }
}
