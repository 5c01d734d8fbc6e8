package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.response.ChatModelStreamingEvent;
import dev.langchain4j.model.chat.response.CompleteResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.millrace.llm.meter.MeteredCall;
import java.util.concurrent.Flow;

/** A subscriber that meters a published stream, and passes everything on. */
final class MeteredSubscriber implements Flow.Subscriber<ChatModelStreamingEvent> {
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
      MeteredModels metering) {
    this.subscriber = subscriber;
    this.meter = new StreamMeter(call, metering);
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
