package dev.millrace.springai;

import dev.millrace.llm.CallEnd;
import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmUsage;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.metadata.Usage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * The translation of Spring AI's prompts and responses to calls and usage.
 *
 * @param entity the charged entity
 * @param model the model of prompts that do not name one
 * @param resource the resource whose limits apply
 * @param usage the usage according to a response
 */
record PromptCalls(
    Function<ChatClientRequest, String> entity,
    @Nullable String model,
    UnaryOperator<String> resource,
    Function<Usage, LlmUsage> usage) {
  static final PromptCalls DEFAULT =
      new PromptCalls(
          PromptCalls::entityParameter,
          /* model= */ null,
          UnaryOperator.identity(),
          reported -> LlmUsage.of(reported.getPromptTokens(), reported.getCompletionTokens()));

  private static String entityParameter(ChatClientRequest request) {
    if (request.context().get(MeteringAdvisor.ENTITY) instanceof String entityId) {
      return entityId;
    }
    throw new IllegalArgumentException(
        "parameter '"
            + MeteringAdvisor.ENTITY
            + "' is "
            + request.context().get(MeteringAdvisor.ENTITY)
            + ", must be the entity that pays: .advisors(a -> a.param(MeteringAdvisor.ENTITY, …))");
  }

  LlmCall callOf(ChatClientRequest request) {
    ChatOptions options = request.prompt().getOptions();
    String name = nameOf(options);
    LlmCall.Builder call =
        LlmCall.chat(entity.apply(request), name)
            .resource(resource.apply(name))
            .maxOutputTokens(options == null ? null : options.getMaxTokens());
    for (Message message : request.prompt().getInstructions()) {
      call.message(textOf(message));
    }
    if (options instanceof ToolCallingChatOptions tools) {
      for (ToolCallback tool : tools.getToolCallbacks()) {
        ToolDefinition definition = tool.getToolDefinition();
        call.tool(definition.name() + definition.description() + definition.inputSchema());
      }
    }
    return call.build();
  }

  private String nameOf(@Nullable ChatOptions options) {
    String named = options == null ? null : options.getModel();
    if (named != null) {
      return named;
    }
    if (model == null) {
      throw new IllegalArgumentException(
          "model is not named by the options of the prompt: name it there or with .model(…)");
    }
    return model;
  }

  CallEnd endOf(@Nullable ChatResponse response) {
    if (response == null) {
      return CallEnd.unknown();
    }
    return reportsUsage(response)
        ? CallEnd.used(usage.apply(response.getMetadata().getUsage()))
        : CallEnd.answered(textOf(response));
  }

  /** A report of no usage counts as no report. */
  static boolean reportsUsage(ChatResponse response) {
    Usage reported = response.getMetadata().getUsage();
    return reported != null
        && (count(reported.getPromptTokens()) + count(reported.getCompletionTokens())) > 0;
  }

  private static int count(@Nullable Integer tokens) {
    return tokens == null ? 0 : tokens;
  }

  /** The output, calls of tools included. */
  static String textOf(ChatResponse response) {
    StringBuilder text = new StringBuilder();
    for (Generation generation : response.getResults()) {
      text.append(textOf(generation.getOutput()));
    }
    return text.toString();
  }

  /** Text only: the cost of an image depends on the provider. */
  private static String textOf(Message message) {
    StringBuilder text = new StringBuilder();
    if (message.getText() != null) {
      text.append(message.getText());
    }
    if (message instanceof AssistantMessage answer) {
      for (AssistantMessage.ToolCall tool : answer.getToolCalls()) {
        text.append(tool.name()).append(tool.arguments());
      }
    }
    if (message instanceof ToolResponseMessage results) {
      for (ToolResponseMessage.ToolResponse result : results.getResponses()) {
        text.append(result.responseData());
      }
    }
    return text.toString();
  }
}
