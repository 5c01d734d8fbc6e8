package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.millrace.client.RateLimiter;
import dev.millrace.llm.Usage;
import dev.millrace.llm.meter.LlmMeter;
import dev.millrace.llm.shape.ProviderPreset;

/** Examples of {@code docs/guide/llm.md}: what is between the marks stands there. */
abstract class LangChain4jExamples {
  abstract String tenantOfThisRequest();

  void models(
      RateLimiter limiter,
      ChatModel openAi,
      StreamingChatModel openAiStreaming,
      EmbeddingModel openAiEmbeddings) {
    // docs: begin
    LlmMeter meter = LlmMeter.builder(limiter, ProviderPreset.openAi(500, 200_000)).build();
    Metering metering = Metering.of(meter, () -> tenantOfThisRequest());

    ChatModel chat = metering.chat(openAi);
    StreamingChatModel streaming = metering.streaming(openAiStreaming);
    EmbeddingModel embedding = metering.embedding(openAiEmbeddings);

    String answer = chat.chat("Why do mills have two stones?");
    // docs: end
    streaming.chat(answer, Heard.all());
    embedding.embed(answer);
  }

  Metering cached(LlmMeter meter) {
    // docs: begin
    Metering metering =
        Metering.of(meter, "key-42")
            .resource(model -> "llm/" + model)
            .usage(
                said -> {
                  OpenAiTokenUsage usage = (OpenAiTokenUsage) said;
                  return Usage.of(usage.inputTokenCount(), usage.outputTokenCount())
                      .withCached(usage.inputTokensDetails().cachedTokens());
                });
    // docs: end
    return metering;
  }
}
