package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.millrace.RateLimiter;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.ProviderPreset;

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
    MeteredModels metering = MeteredModels.of(meter, () -> tenantOfThisRequest());

    ChatModel chat = metering.chat(openAi);
    StreamingChatModel streaming = metering.streaming(openAiStreaming);
    EmbeddingModel embedding = metering.embedding(openAiEmbeddings);

    String answer = chat.chat("Why do mills have two stones?");
    // docs: end
    streaming.chat(answer, StreamRecorder.all());
    embedding.embed(answer);
  }

  MeteredModels cached(LlmMeter meter) {
    // docs: begin
    MeteredModels metering =
        MeteredModels.of(meter, "key-42")
            .resource(model -> "llm/" + model)
            .usage(
                said -> {
                  OpenAiTokenUsage usage = (OpenAiTokenUsage) said;
                  return LlmUsage.of(usage.inputTokenCount(), usage.outputTokenCount())
                      .withCached(usage.inputTokensDetails().cachedTokens());
                });
    // docs: end
    return metering;
  }
}
