package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.llm.LlmUsage;
import dev.millrace.llm.meter.LlmMeter;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A factory of metered models: each call reserves its expected usage, and is settled with its real
 * usage. A call that does not fit fails with {@link
 * dev.millrace.RateLimitExceededException}, after the wait that the meter allows; that
 * of a stream through its handler.
 *
 * <p>Everything else of a model passes through: its listeners, its provider, its capabilities and
 * its default parameters are those of the model behind. Immutable.
 */
public final class MeteredModels {
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
  public MeteredModels usage(Function<TokenUsage, LlmUsage> reading) {
    return new MeteredModels(meter, entity, resource, reading);
  }

  /** {@code model}, metered. */
  public ChatModel chat(ChatModel model) {
    return new MeteredChatModel(model, this);
  }

  /** {@code model}, metered. */
  public StreamingChatModel streaming(StreamingChatModel model) {
    return new MeteredStreamingChatModel(model, this);
  }

  /** {@code model}, metered. */
  public EmbeddingModel embedding(EmbeddingModel model) {
    return new MeteredEmbeddingModel(model, this);
  }

  private static LlmUsage plainUsage(TokenUsage said) {
    Integer output = said.outputTokenCount(); // embeddings have none
    return LlmUsage.of(said.inputTokenCount(), output == null ? 0 : output);
  }

  LlmMeter meter() {
    return meter;
  }

  String entityId() {
    return entity.get();
  }

  String resourceOf(String model) {
    return resource.apply(model);
  }

  LlmUsage usageOf(TokenUsage said) {
    return usage.apply(said);
  }
}
