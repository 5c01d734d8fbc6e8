package dev.millrace.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.embedding.request.EmbeddingInput;
import dev.langchain4j.model.embedding.request.EmbeddingRequest;
import dev.langchain4j.model.embedding.response.EmbeddingResponse;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.llm.LlmCall;
import dev.millrace.llm.meter.CallEnd;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The translation of LangChain4j's requests and responses to calls and usage. */
final class ModelCalls {
  /** The name of a model without one. */
  static final String UNKNOWN_MODEL = "unknown";

  private ModelCalls() {}

  static LlmCall of(ChatRequest request, ChatRequestParameters defaults, MeteredModels metering) {
    ChatRequestParameters parameters = defaults.overrideWith(request.parameters());
    String model = parameters.modelName() == null ? UNKNOWN_MODEL : parameters.modelName();
    LlmCall.Builder call =
        LlmCall.chat(metering.entityId(), model)
            .resource(metering.resourceOf(model))
            .maxOutputTokens(parameters.maxOutputTokens());
    request.messages().forEach(message -> call.message(textOf(message)));
    if (parameters.toolSpecifications() != null) {
      for (ToolSpecification tool : parameters.toolSpecifications()) {
        call.tool(tool.toJson());
      }
    }
    return call.build();
  }

  static LlmCall of(EmbeddingRequest request, String modelName, MeteredModels metering) {
    String model = request.modelName() == null ? modelName : request.modelName();
    LlmCall.Builder call =
        LlmCall.embedding(metering.entityId(), model).resource(metering.resourceOf(model));
    for (EmbeddingInput input : request.inputs()) {
      call.message(textOf(input.contents()));
    }
    return call.build();
  }

  static CallEnd endOf(ChatResponse response, MeteredModels metering) {
    TokenUsage said = response.tokenUsage();
    return isComplete(said)
        ? CallEnd.used(metering.usageOf(said))
        : CallEnd.answered(textOf(response.aiMessage()));
  }

  static CallEnd endOf(EmbeddingResponse response, MeteredModels metering) {
    TokenUsage said = response.metadata() == null ? null : response.metadata().tokenUsage();
    return said != null && isSaid(said.inputTokenCount())
        ? CallEnd.used(metering.usageOf(said))
        : CallEnd.answered("");
  }

  private static boolean isComplete(@Nullable TokenUsage said) {
    return said != null && isSaid(said.inputTokenCount()) && said.outputTokenCount() != null;
  }

  /** A report of no usage counts as no report. */
  private static boolean isSaid(@Nullable Integer inputTokens) {
    return inputTokens != null && inputTokens != 0;
  }

  /** The output in a message of a model, thoughts and calls of tools included. */
  private static String textOf(AiMessage message) {
    StringBuilder text = new StringBuilder();
    if (message.thinking() != null) {
      text.append(message.thinking());
    }
    if (message.text() != null) {
      text.append(message.text());
    }
    for (ToolExecutionRequest tool : message.toolExecutionRequests()) {
      text.append(tool.name()).append(tool.arguments());
    }
    return text.toString();
  }

  /** Text only: the cost of an image depends on the provider. */
  private static String textOf(ChatMessage message) {
    if (message instanceof SystemMessage system) {
      return system.text();
    }
    if (message instanceof UserMessage user) {
      return textOf(user.contents());
    }
    if (message instanceof AiMessage answer) {
      return textOf(answer);
    }
    return message instanceof ToolExecutionResultMessage result ? textOf(result.contents()) : "";
  }

  private static String textOf(List<Content> contents) {
    StringBuilder text = new StringBuilder();
    for (Content content : contents) {
      if (content instanceof TextContent part) {
        text.append(part.text());
      }
    }
    return text.toString();
  }
}
