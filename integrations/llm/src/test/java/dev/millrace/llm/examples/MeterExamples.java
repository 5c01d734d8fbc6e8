package dev.millrace.llm.examples;

import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.admin.Admin;
import dev.millrace.admin.AdminOptions;
import dev.millrace.admin.LimitTarget;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.llm.CallEnd;
import dev.millrace.llm.CostEstimator;
import dev.millrace.llm.LimitCharge;
import dev.millrace.llm.LimitShape;
import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.MeteredCall;
import dev.millrace.llm.ModelTokenCounter;
import dev.millrace.llm.ProviderPreset;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Examples of {@code docs/guide/llm.md}: what is between the marks stands there. */
abstract class MeterExamples {
  /** What a model answered, in an application that calls it by itself. */
  record Answer(String text, long inputTokens, long cachedTokens, long outputTokens) {}

  abstract Answer ask(String prompt);

  abstract CompletableFuture<Answer> askAsync(String prompt);

  abstract Iterable<String> stream(String prompt);

  abstract void show(String piece);

  String call(DynamoDbClient dynamo, String prompt) {
    // docs: begin
    RateLimiter limiter =
        RateLimiter.create(DynamoStore.of(dynamo, "limits"), LimiterOptions.defaults());
    LlmMeter meter =
        LlmMeter.builder(limiter, ProviderPreset.openAi(500, 200_000))
            .maxWait(Duration.ofSeconds(5))
            .build();

    LlmCall call = LlmCall.chat("key-42", "gpt-4o").message(prompt).maxOutputTokens(1_000).build();
    Answer answer =
        meter.call(
            call,
            () -> ask(prompt),
            got -> CallEnd.used(LlmUsage.of(got.inputTokens(), got.outputTokens())));
    // docs: end
    return answer.text();
  }

  void stored(BlockingStore store, RateLimiter limiter) {
    // docs: begin
    ProviderPreset preset = ProviderPreset.anthropic(50, 40_000, 8_000);
    Admin.of(store, AdminOptions.of("ops@example.com"))
        .in("default")
        .limits()
        .set(LimitTarget.resource("claude"), preset.limits());

    LlmMeter meter = LlmMeter.builder(limiter, preset.shape()).build();
    // docs: end
    meter.close();
  }

  void shape(RateLimiter limiter) {
    // docs: begin
    LimitShape shape =
        LimitShape.of(
            LimitCharge.requests("rpm"),
            LimitCharge.input("itpm").withCachedMilli(100), // a tenth of what is read from a cache
            LimitCharge.output("otpm"),
            LimitCharge.tokens("credits").withOutputMilli(4_000)); // output: four times as much
    // docs: end
    LlmMeter.builder(limiter, shape).build().close();
  }

  void streamed(LlmMeter meter, LlmCall call, String prompt) {
    // docs: begin
    MeteredCall metered = meter.begin(call);
    try {
      for (String piece : stream(prompt)) {
        metered.produced(piece); // charges more when the reservation is used up
        show(piece);
      }
      metered.endQuietly(CallEnd::answered); // or CallEnd.used(…) if the provider said
    } catch (RuntimeException e) {
      metered.endQuietly(() -> metered.endOf(e));
      throw e;
    }
    // docs: end
  }

  CompletableFuture<Answer> async(
      RateLimiter limiter, ProviderPreset preset, LlmCall call, String prompt) {
    // docs: begin
    LlmMeter meter = LlmMeter.builder(limiter, preset).build();
    CompletableFuture<Answer> answer =
        meter.callAsync(call, () -> askAsync(prompt), got -> CallEnd.answered(got.text()));
    // docs: end
    return answer;
  }

  void estimators(RateLimiter limiter, LimitShape shape) {
    // docs: begin
    ModelTokenCounter counter = new ModelTokenCounter();
    CostEstimator careful = CostEstimator.learning(counter, 0.95);
    LlmMeter meter = LlmMeter.builder(limiter, shape).counter(counter).estimator(careful).build();
    // docs: end
    meter.close();
  }
}
