package dev.millrace.llm;

import dev.millrace.NameRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call of a model as far as its cost is concerned, independent of the library that makes it.
 *
 * @param kind the kind of call
 * @param entityId the entity that is charged
 * @param resource the resource whose limits apply: the model's name unless another was given
 * @param model the model's name as the provider knows it
 * @param messages the texts of the messages, or the texts to be embedded
 * @param tools the definitions of tools, as text
 * @param maxOutputTokens most tokens of the answer; null when the request sets no maximum
 */
public record LlmCall(
    Kind kind,
    String entityId,
    String resource,
    String model,
    List<String> messages,
    List<String> tools,
    @Nullable Long maxOutputTokens) {
  public enum Kind {
    /** Tokens in, tokens out. */
    CHAT,
    /** Tokens in, a vector out. */
    EMBEDDING
  }

  public LlmCall {
    NameRules.requireEntityId(entityId);
    NameRules.requireResource(resource);
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
    if (maxOutputTokens != null && (maxOutputTokens < 0 || maxOutputTokens > LlmUsage.MAX_TOKENS)) {
      throw new IllegalArgumentException(
          "maxOutputTokens " + maxOutputTokens + " must be from 0 to " + LlmUsage.MAX_TOKENS);
    }
  }

  /** A chat of {@code entityId} with {@code model}. */
  public static Builder chat(String entityId, String model) {
    return new Builder(Kind.CHAT, entityId, model);
  }

  /** An embedding for {@code entityId} by {@code model}. */
  public static Builder embedding(String entityId, String model) {
    return new Builder(Kind.EMBEDDING, entityId, model);
  }

  public static final class Builder {
    private final Kind kind;
    private final String entityId;
    private final String model;
    private final List<String> messages = new ArrayList<>();
    private final List<String> tools = new ArrayList<>();
    private String resource;
    private @Nullable Long maxOutputTokens;

    private Builder(Kind kind, String entityId, String model) {
      this.kind = kind;
      this.entityId = entityId;
      this.model = model;
      this.resource = model;
    }

    /** The resource whose limits apply, when it differs from the model. */
    public Builder resource(String value) {
      this.resource = value;
      return this;
    }

    /** One more message, or one more text to embed. */
    public Builder message(String text) {
      messages.add(text);
      return this;
    }

    /** The definition of one more tool. */
    public Builder tool(String definition) {
      tools.add(definition);
      return this;
    }

    /** Most tokens of the answer; null when the request sets no maximum. */
    public Builder maxOutputTokens(@Nullable Number value) {
      this.maxOutputTokens = value == null ? null : (Long) value.longValue();
      return this;
    }

    public LlmCall build() {
      return new LlmCall(kind, entityId, resource, model, messages, tools, maxOutputTokens);
    }
  }
}
