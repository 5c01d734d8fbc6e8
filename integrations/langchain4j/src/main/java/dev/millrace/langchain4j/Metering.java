package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.llm.Usage;
import dev.millrace.llm.meter.LlmMeter;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A factory of metered models: each call reserves its expected usage, and is settled with its real
 * usage. A call that does not fit fails with {@link
 * dev.millrace.core.error.RateLimitExceededException}, after the wait that the meter allows; that
 * of a stream through its handler.
 *
 * <p>Everything else of a model passes through: its listeners, its provider, its capabilities and
 * its default parameters are those of the model behind. Immutable.
 */
public final class Metering {
  private final LlmMeter meter;
  private final Supplier<String> entity;
  private final UnaryOperator<String> resource;
  private final Function<TokenUsage, Usage> usage;

  private Metering(
      LlmMeter meter,
      Supplier<String> entity,
      UnaryOperator<String> resource,
      Function<TokenUsage, Usage> usage) {
    this.meter = meter;
    this.entity = entity;
    this.resource = resource;
    this.usage = usage;
  }

  /** Charges {@code entityId} for every call. */
  public static Metering of(LlmMeter meter, String entityId) {
    return of(meter, () -> entityId);
  }

  /** Calls {@code entity} for every call, on the calling thread, for the entity to charge. */
  public static Metering of(LlmMeter meter, Supplier<String> entity) {
    return new Metering(meter, entity, UnaryOperator.identity(), Metering::plainUsage);
  }

  /** The same with another resource for each model; by default it has the model's name. */
  public Metering resource(UnaryOperator<String> ofModel) {
    return new Metering(meter, entity, ofModel, usage);
  }

  /**
   * The same with another extraction of the usage from a response. By default the input counts in
   * full: cached tokens are reported by types of the provider's own module.
   */
  public Metering usage(Function<TokenUsage, Usage> reading) {
    return new Metering(meter, entity, resource, reading);
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

  private static Usage plainUsage(TokenUsage said) {
    Integer output = said.outputTokenCount(); // embeddings have none
    return Usage.of(said.inputTokenCount(), output == null ? 0 : output);
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

  Usage usageOf(TokenUsage said) {
    return usage.apply(said);
  }
}
