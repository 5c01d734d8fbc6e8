package dev.millrace.langchain4j;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.millrace.llm.MeteredCall;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A streaming chat model that meters the model behind it. A refusal is reported as every other
 * failure of a stream is, through the handler or the subscriber.
 */
final class MeteredStreamingChatModel implements StreamingChatModel {
  private final StreamingChatModel model;
  private final MeteredModels models;

  MeteredStreamingChatModel(StreamingChatModel model, MeteredModels models) {
    this.model = model;
    this.models = models;
  }

  @Override
  public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
    metered(request, handler, metered -> model.chat(request, metered));
  }

  @Override
  public void chat(
      ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
    metered(request, handler, metered -> model.chat(request, options, metered));
  }

  @Override
  public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
    metered(request, handler, metered -> model.doChat(request, metered));
  }

  @Override
  public Flow.Publisher<ChatModelStreamingEvent> chat(ChatRequest request) {
    return published(request, () -> model.chat(request));
  }

  @Override
  public Flow.Publisher<ChatModelStreamingEvent> doChat(ChatRequest request) {
    return published(request, () -> model.doChat(request));
  }

  private void metered(
      ChatRequest request,
      StreamingChatResponseHandler handler,
      Consumer<StreamingChatResponseHandler> ask) {
    begin(
        request,
        call -> {
          var metered = new StreamMeter.MeteredHandler(handler, call, models);
          try {
            ask.accept(metered);
          } catch (RuntimeException e) {
            metered.onError(e);
          }
        },
        handler::onError);
  }

  private Flow.Publisher<ChatModelStreamingEvent> published(
      ChatRequest request, Supplier<Flow.Publisher<ChatModelStreamingEvent>> ask) {
    return subscriber ->
        begin(
            request,
            call -> {
              var metered = new StreamMeter.MeteredSubscriber(subscriber, call, models);
              try {
                ask.get().subscribe(metered);
              } catch (RuntimeException e) {
                metered.onError(e);
              }
            },
            failure -> {
              subscriber.onSubscribe(StreamMeter.MeteredSubscriber.NOTHING);
              subscriber.onError(failure);
            });
  }

  private void begin(
      ChatRequest request, Consumer<MeteredCall> granted, Consumer<Throwable> refused) {
    var unused =
        models
            .meter()
            .beginAsync(models.callOf(request, defaultRequestParameters()))
            .whenComplete(
                (metered, failure) -> {
                  if (failure == null) {
                    granted.accept(metered);
                  } else {
                    refused.accept(failure);
                  }
                });
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
