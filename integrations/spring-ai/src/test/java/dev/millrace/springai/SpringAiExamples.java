package dev.millrace.springai;

import dev.millrace.RateLimiter;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.ProviderPreset;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallAdvisor;
import org.springframework.ai.chat.model.ChatModel;

/** Examples of {@code docs/guide/llm.md}: what is between the marks stands there. */
abstract class SpringAiExamples {
  @Nullable String client(RateLimiter limiter, ChatModel model) {
    // docs: begin
    LlmMeter meter = LlmMeter.builder(limiter, ProviderPreset.openAi(500, 200_000)).build();
    ChatClient client =
        ChatClient.builder(model)
            .defaultAdvisors(ToolCallAdvisor.builder().build(), MeteringAdvisor.of(meter))
            .build();

    String answer =
        client
            .prompt("Why do mills have two stones?")
            .advisors(spec -> spec.param(MeteringAdvisor.ENTITY, "key-42"))
            .call()
            .content();
    // docs: end
    return answer;
  }
}
