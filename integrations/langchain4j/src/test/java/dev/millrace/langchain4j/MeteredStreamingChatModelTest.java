package dev.millrace.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.TokenUsage;
import dev.millrace.RateLimitExceededException;
import dev.millrace.llm.testing.MeterInMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MeteredStreamingChatModelTest {
  private static final ChatRequest REQUEST =
      ChatRequest.builder().messages(UserMessage.from("ten chars!")).build();
  private static final long INPUT = 10;
  private static final ChatResponse ANSWER = FakeModels.response("answer", new TokenUsage(11, 7));

  private final MeterInMemory memory = new MeterInMemory(1_000);
  private final FakeModels.Streaming model =
      new FakeModels.Streaming(
          new PartialThinking("hm"), new PartialResponse("answer"), new CompleteResponse(ANSWER));
  private final StreamRecorder heard = StreamRecorder.all();

  private StreamingChatModel metered() {
    return MeteredModels.of(memory.blocking(), "acme").streaming(model);
  }

  private long tokens() {
    return memory.tokens("acme", FakeModels.MODEL);
  }

  @Test
  void everythingElse_passesThrough() {
    assertThat(metered().defaultRequestParameters()).isSameAs(FakeModels.PARAMETERS);
    assertThat(metered().provider()).isSameAs(model.provider());
    assertThat(metered().listeners()).isEqualTo(model.listeners());
    assertThat(metered().supportedCapabilities()).isEqualTo(model.supportedCapabilities());
  }

  @Test
  void pieces_ofEveryKind_areCounted() {
    metered().chat(REQUEST, heard);
    StreamingChatResponseHandler told = model.handler;
    told.onPartialThinking(new PartialThinking("hmm"));
    told.onPartialResponse("text");
    told.onPartialToolCall(
        PartialToolCall.builder().index(0).name("tool").partialArguments("{}").build());
    told.onCompleteToolCall(whole(0));
    told.onCompleteToolCall(whole(1));
    told.onError(new IllegalStateException("cut"));

    assertThat(heard.failure()).hasMessage("cut");
    assertThat(tokens()).isEqualTo(INPUT + 3 + 4 + 6 + 6);
  }

  private static CompleteToolCall whole(int index) {
    return new CompleteToolCall(
        index, ToolExecutionRequest.builder().id("1").name("tool").arguments("{}").build());
  }

  @Test
  void complete_afterAnError_doesNotCountTwice() {
    metered().chat(REQUEST, heard);
    model.handler.onError(new IllegalStateException("503"));
    model.handler.onCompleteResponse(ANSWER);

    assertThat(tokens()).isZero();
  }

  @Test
  void handlerThatThrows_isHeardByTheLibrary() {
    metered()
        .chat(
            REQUEST,
            new StreamingChatResponseHandler() {
              @Override
              public void onCompleteResponse(ChatResponse response) {
                throw new IllegalStateException("cannot show it");
              }

              @Override
              public void onError(Throwable failure) {}
            });

    assertThatThrownBy(() -> model.handler.onCompleteResponse(ANSWER)).hasMessage("cannot show it");
    assertThat(tokens()).isEqualTo(18);
  }

  @Test
  void refused_isToldToTheHandler() {
    StreamingChatModel metered =
        MeteredModels.of(new MeterInMemory(35).blocking(), "acme").streaming(model);
    metered.chat(REQUEST, StreamRecorder.all());

    metered.chat(REQUEST, heard);

    assertThat(heard.failure()).isInstanceOf(RateLimitExceededException.class);
  }

  @Test
  void modelThatThrows_isToldToTheHandlerAndGivenBack() {
    StreamingChatModel broken =
        new StreamingChatModel() {
          @Override
          public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
            throw new IllegalStateException("no key");
          }
        };

    MeteredModels.of(memory.blocking(), "acme").streaming(broken).chat(REQUEST, heard);

    assertThat(heard.failure()).hasMessage("no key");
    assertThat(memory.tokens("acme", MeteredModels.UNKNOWN_MODEL)).isZero();
  }

  /** Reads a published stream, so many events of it. */
  private static final class Reader implements Flow.Subscriber<ChatModelStreamingEvent> {
    final List<ChatModelStreamingEvent> events = new ArrayList<>();
    private final int most;
    boolean completed;
    @Nullable Throwable failure;
    private Flow.@Nullable Subscription subscription;

    Reader(int most) {
      this.most = most;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
      subscription = begun;
      begun.request(most);
    }

    @Override
    public void onNext(ChatModelStreamingEvent event) {
      events.add(event);
      if (events.size() == most && subscription != null) {
        subscription.cancel();
      }
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
    }

    @Override
    public void onComplete() {
      completed = true;
    }
  }

  @Test
  void published_readToItsEnd_isSettledWithTheUsage() {
    Reader reader = new Reader(10);

    metered().chat(REQUEST).subscribe(reader);

    assertThat(reader.events).hasSize(3);
    assertThat(reader.completed).isTrue();
    assertThat(tokens()).isEqualTo(18);
  }

  @Test
  void published_cancelled_isChargedForWhatCame() {
    Reader reader = new Reader(2);

    metered().chat(REQUEST).subscribe(reader);

    assertThat(reader.completed).isFalse();
    assertThat(tokens()).isEqualTo(INPUT + 8);
  }

  @Test
  void published_refused_isToldToTheSubscriber() {
    StreamingChatModel metered =
        MeteredModels.of(new MeterInMemory(35).blocking(), "acme").streaming(model);
    metered.chat(REQUEST, StreamRecorder.all());
    Reader reader = new Reader(10);

    metered.chat(REQUEST).subscribe(reader);

    assertThat(reader.failure).isInstanceOf(RateLimitExceededException.class);
    assertThat(reader.events).isEmpty();
  }
}
