package dev.millrace.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A chat model that meters the model behind it. Every way to call it is metered, and passed on
 * unchanged.
 */
final class MeteredChatModel implements ChatModel {
  private final ChatModel model;
  private final MeteredModels models;

  MeteredChatModel(ChatModel model, MeteredModels models) {
    this.model = model;
    this.models = models;
  }

  @Override
  public ChatResponse chat(ChatRequest request) {
    return metered(request, () -> model.chat(request));
  }

  @Override
  public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
    return metered(request, () -> model.chat(request, options));
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    return metered(request, () -> model.doChat(request));
  }

  @Override
  public CompletableFuture<ChatResponse> chatAsync(ChatRequest request) {
    return meteredAsync(request, () -> model.chatAsync(request));
  }

  @Override
  public CompletableFuture<ChatResponse> chatAsync(
      ChatRequest request, ChatRequestOptions options) {
    return meteredAsync(request, () -> model.chatAsync(request, options));
  }

  @Override
  public CompletableFuture<ChatResponse> doChatAsync(ChatRequest request) {
    return meteredAsync(request, () -> model.doChatAsync(request));
  }

  private ChatResponse metered(ChatRequest request, Supplier<ChatResponse> ask) {
    return models
        .meter()
        .call(models.callOf(request, defaultRequestParameters()), ask, models::endOf);
  }

  private CompletableFuture<ChatResponse> meteredAsync(
      ChatRequest request, Supplier<CompletableFuture<ChatResponse>> ask) {
    return models
        .meter()
        .callAsync(models.callOf(request, defaultRequestParameters()), ask, models::endOf);
  }

  @Override
  public ChatRequestParameters defaultRequestParameters() {
    return model.defaultRequestParameters();
  }

  @Override
  public List<ChatModelListener> listeners() {
    return model.listeners();
  }

  @Override
  public ModelProvider provider() {
    return model.provider();
  }

  @Override
  public Set<Capability> supportedCapabilities() {
    return model.supportedCapabilities();
  }
}
