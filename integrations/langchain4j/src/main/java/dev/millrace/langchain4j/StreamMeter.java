package dev.millrace.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.millrace.llm.CallEnd;
import dev.millrace.llm.MeteredCall;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Flow;
import java.util.function.Supplier;

/** The observer of a stream for a meter, in every way that a stream is delivered. */
final class StreamMeter {
  private final MeteredCall call;
  private final MeteredModels models;

  /** Tool calls that arrived in parts; their complete form is not counted again. */
  private final Set<Integer> partial = ConcurrentHashMap.newKeySet();

  StreamMeter(MeteredCall call, MeteredModels models) {
    this.call = call;
    this.models = models;
  }

  void text(String piece) {
    call.produced(piece);
  }

  void tool(PartialToolCall piece) {
    if (partial.add(piece.index()) && piece.name() != null) {
      call.produced(piece.name());
    }
    call.produced(piece.partialArguments());
  }

  void tool(CompleteToolCall whole) {
    if (!partial.contains(whole.index())) {
      ToolExecutionRequest tool = whole.toolExecutionRequest();
      call.produced(tool.name() + tool.arguments());
    }
  }

  /** Settles, then runs {@code next}: a receiver of the end can rely on the settlement. */
  void complete(ChatResponse response, Runnable next) {
    end(() -> models.endOf(response), next);
  }

  void fail(Throwable failure, Runnable next) {
    end(() -> call.endOf(failure), next);
  }

  void cancel() {
    end(CallEnd::cancelled, () -> {});
  }

  private void end(Supplier<CallEnd> how, Runnable next) {
    CompletableFuture<Void> ended = call.endQuietlyAsync(how).toCompletableFuture();
    if (ended.isDone()) {
      next.run(); // here, so that an exception of the handler goes to the library
    } else {
      var unused = ended.whenComplete((done, never) -> next.run());
    }
  }

  /** A stream handler that meters a stream, and passes everything on. */
  static final class MeteredHandler implements StreamingChatResponseHandler {
    private final StreamingChatResponseHandler handler;
    private final StreamMeter meter;

    MeteredHandler(StreamingChatResponseHandler handler, MeteredCall call, MeteredModels models) {
      this.handler = handler;
      this.meter = new StreamMeter(call, models);
    }

    /** A cancelled stream makes no further calls: the cancellation itself is metered. */
    private StreamingHandle metered(StreamingHandle handle) {
      return new StreamingHandle() {
        @Override
        public void cancel() {
          handle.cancel();
          meter.cancel();
        }

        @Override
        public boolean isCancelled() {
          return handle.isCancelled();
        }
      };
    }

    @Override
    public void onPartialResponse(String piece) {
      meter.text(piece);
      handler.onPartialResponse(piece);
    }

    @Override
    public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
      meter.text(piece.text());
      handler.onPartialResponse(
          piece, new PartialResponseContext(metered(context.streamingHandle())));
    }

    @Override
    public void onPartialThinking(PartialThinking piece) {
      meter.text(piece.text());
      handler.onPartialThinking(piece);
    }

    @Override
    public void onPartialThinking(PartialThinking piece, PartialThinkingContext context) {
      meter.text(piece.text());
      handler.onPartialThinking(
          piece, new PartialThinkingContext(metered(context.streamingHandle())));
    }

    @Override
    public void onPartialToolCall(PartialToolCall piece) {
      meter.tool(piece);
      handler.onPartialToolCall(piece);
    }

    @Override
    public void onPartialToolCall(PartialToolCall piece, PartialToolCallContext context) {
      meter.tool(piece);
      handler.onPartialToolCall(
          piece, new PartialToolCallContext(metered(context.streamingHandle())));
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall whole) {
      meter.tool(whole);
      handler.onCompleteToolCall(whole);
    }

    @Override
    public void onUnmappedRawEvent(Object event) {
      handler.onUnmappedRawEvent(event);
    }

    @Override
    public void onCompleteResponse(ChatResponse response) {
      meter.complete(response, () -> handler.onCompleteResponse(response));
    }

    @Override
    public void onError(Throwable failure) {
      meter.fail(failure, () -> handler.onError(failure));
    }
  }

  /** A subscriber that meters a published stream, and passes everything on. */
  static final class MeteredSubscriber implements Flow.Subscriber<ChatModelStreamingEvent> {
    /** A subscription to a stream that never began. */
    static final Flow.Subscription NOTHING =
        new Flow.Subscription() {
          @Override
          public void request(long count) {}

          @Override
          public void cancel() {}
        };

    private final Flow.Subscriber<? super ChatModelStreamingEvent> subscriber;
    private final StreamMeter meter;

    MeteredSubscriber(
        Flow.Subscriber<? super ChatModelStreamingEvent> subscriber,
        MeteredCall call,
        MeteredModels models) {
      this.subscriber = subscriber;
      this.meter = new StreamMeter(call, models);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscriber.onSubscribe(
          new Flow.Subscription() {
            @Override
            public void request(long count) {
              subscription.request(count);
            }

            @Override
            public void cancel() {
              subscription.cancel();
              meter.cancel();
            }
          });
    }

    @Override
    public void onNext(ChatModelStreamingEvent event) {
      if (event instanceof PartialResponse piece) {
        meter.text(piece.text());
      } else if (event instanceof PartialThinking piece) {
        meter.text(piece.text());
      } else if (event instanceof PartialToolCall piece) {
        meter.tool(piece);
      } else if (event instanceof CompleteToolCall whole) {
        meter.tool(whole);
      } else if (event instanceof CompleteResponse complete) {
        meter.complete(complete.chatResponse(), () -> {}); // events keep their order
      }
      subscriber.onNext(event);
    }

    @Override
    public void onComplete() {
      meter.cancel(); // without an effect after the whole response, which settles
      subscriber.onComplete();
    }

    @Override
    public void onError(Throwable failure) {
      meter.fail(failure, () -> subscriber.onError(failure));
    }
  }
}
