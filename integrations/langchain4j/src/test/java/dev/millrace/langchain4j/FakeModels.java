package dev.millrace.langchain4j;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Models in memory that answer what they are told. */
final class FakeModels {
  static final String MODEL = "mill-1";

  static final ChatRequestParameters PARAMETERS =
      ChatRequestParameters.builder().modelName(MODEL).maxOutputTokens(500).build();

  private FakeModels() {}

  static ChatResponse response(String text, @Nullable TokenUsage usage) {
    return ChatResponse.builder().aiMessage(AiMessage.from(text)).tokenUsage(usage).build();
  }

  /** Answers with a fixed text, and counts how often it was asked. */
  static final class Chat implements ChatModel {
    final AtomicInteger asked = new AtomicInteger();
    final List<ChatModelListener> listeners = new ArrayList<>();
    private final ChatResponse response;

    Chat(ChatResponse response) {
      this.response = response;
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
      asked.incrementAndGet();
      return response;
    }

    @Override
    public CompletableFuture<ChatResponse> doChatAsync(ChatRequest request) {
      return CompletableFuture.completedFuture(doChat(request));
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
      return PARAMETERS;
    }

    @Override
    public List<ChatModelListener> listeners() {
      return listeners;
    }

    @Override
    public ModelProvider provider() {
      return ModelProvider.MISTRAL_AI;
    }

    @Override
    public Set<Capability> supportedCapabilities() {
      return Set.of(Capability.RESPONSE_FORMAT_JSON_SCHEMA);
    }
  }

  /** Does with a handler what a test does; publishes what it is given. */
  static final class Streaming implements StreamingChatModel {
    StreamingChatResponseHandler handler = StreamRecorder.all();
    private final List<ChatModelStreamingEvent> events;

    Streaming(ChatModelStreamingEvent... events) {
      this.events = List.of(events);
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler told) {
      handler = told;
    }

    @Override
    public Flow.Publisher<ChatModelStreamingEvent> doChat(ChatRequest request) {
      return subscriber ->
          subscriber.onSubscribe(
              new Flow.Subscription() {
                private int next;
                private boolean cancelled;

                @Override
                public void request(long count) {
                  for (long i = 0; i < count && next < events.size() && !cancelled; i++) {
                    subscriber.onNext(events.get(next++));
                  }
                  if (next == events.size() && !cancelled) {
                    cancelled = true;
                    subscriber.onComplete();
                  }
                }

                @Override
                public void cancel() {
                  cancelled = true;
                }
              });
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
      return PARAMETERS;
    }

    @Override
    public ModelProvider provider() {
      return ModelProvider.MISTRAL_AI;
    }
  }
}
