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
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.request.EmbeddingInput;
import dev.langchain4j.model.embedding.request.EmbeddingRequest;
import dev.langchain4j.model.embedding.response.EmbeddingResponse;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.llm.CallEnd;
import dev.millrace.llm.LlmCall;
import dev.millrace.llm.LlmMeter;
import dev.millrace.llm.LlmUsage;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A factory of metered models: each call reserves its expected usage, and is settled with its real
 * usage. A call that does not fit fails with {@link dev.millrace.RateLimitExceededException}, after
 * the wait that the meter allows; that of a stream through its handler.
 *
 * <p>Everything else of a model passes through: its listeners, its provider, its capabilities and
 * its default parameters are those of the model behind. Immutable.
 */
public final class MeteredModels {
  /** The name of a model without one. */
  static final String UNKNOWN_MODEL = "unknown";

  private final LlmMeter meter;
  private final Supplier<String> entity;
  private final UnaryOperator<String> resource;
  private final Function<TokenUsage, LlmUsage> usage;

  private MeteredModels(
      LlmMeter meter,
      Supplier<String> entity,
      UnaryOperator<String> resource,
      Function<TokenUsage, LlmUsage> usage) {
    this.meter = meter;
    this.entity = entity;
    this.resource = resource;
    this.usage = usage;
  }

  /** Charges {@code entityId} for every call. */
  public static MeteredModels of(LlmMeter meter, String entityId) {
    return of(meter, () -> entityId);
  }

  /** Calls {@code entity} for every call, on the calling thread, for the entity to charge. */
  public static MeteredModels of(LlmMeter meter, Supplier<String> entity) {
    return new MeteredModels(meter, entity, UnaryOperator.identity(), MeteredModels::plainUsage);
  }

  /** The same with another resource for each model; by default it has the model's name. */
  public MeteredModels resource(UnaryOperator<String> ofModel) {
    return new MeteredModels(meter, entity, ofModel, usage);
  }

  /**
   * The same with another extraction of the usage from a response. By default the input counts in
   * full: cached tokens are reported by types of the provider's own module.
   */
  public MeteredModels usage(Function<TokenUsage, LlmUsage> ofResponse) {
    return new MeteredModels(meter, entity, resource, ofResponse);
  }

  public ChatModel chat(ChatModel model) {
    return new MeteredChatModel(model, this);
  }

  public StreamingChatModel streaming(StreamingChatModel model) {
    return new MeteredStreamingChatModel(model, this);
  }

  public EmbeddingModel embedding(EmbeddingModel model) {
    return new MeteredEmbeddingModel(model, this);
  }

  LlmMeter meter() {
    return meter;
  }

  private static LlmUsage plainUsage(TokenUsage reported) {
    Integer output = reported.outputTokenCount(); // embeddings have none
    return LlmUsage.of(reported.inputTokenCount(), output == null ? 0 : output);
  }

  LlmCall callOf(ChatRequest request, ChatRequestParameters defaults) {
    ChatRequestParameters parameters = defaults.overrideWith(request.parameters());
    String model = parameters.modelName() == null ? UNKNOWN_MODEL : parameters.modelName();
    LlmCall.Builder call =
        LlmCall.chat(entity.get(), model)
            .resource(resource.apply(model))
            .maxOutputTokens(parameters.maxOutputTokens());
    request.messages().forEach(message -> call.message(textOf(message)));
    if (parameters.toolSpecifications() != null) {
      for (ToolSpecification tool : parameters.toolSpecifications()) {
        call.tool(tool.toJson());
      }
    }
    return call.build();
  }

  LlmCall callOf(EmbeddingRequest request, String modelName) {
    String model = request.modelName() == null ? modelName : request.modelName();
    LlmCall.Builder call = LlmCall.embedding(entity.get(), model).resource(resource.apply(model));
    for (EmbeddingInput input : request.inputs()) {
      call.message(textOf(input.contents()));
    }
    return call.build();
  }

  CallEnd endOf(ChatResponse response) {
    TokenUsage reported = response.tokenUsage();
    return isComplete(reported)
        ? CallEnd.used(usage.apply(reported))
        : CallEnd.answered(textOf(response.aiMessage()));
  }

  CallEnd endOf(EmbeddingResponse response) {
    TokenUsage reported = response.metadata() == null ? null : response.metadata().tokenUsage();
    return reported != null && isReported(reported.inputTokenCount())
        ? CallEnd.used(usage.apply(reported))
        : CallEnd.answered("");
  }

  private static boolean isComplete(@Nullable TokenUsage reported) {
    return reported != null
        && isReported(reported.inputTokenCount())
        && reported.outputTokenCount() != null;
  }

  /** A report of no usage counts as no report. */
  private static boolean isReported(@Nullable Integer inputTokens) {
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
