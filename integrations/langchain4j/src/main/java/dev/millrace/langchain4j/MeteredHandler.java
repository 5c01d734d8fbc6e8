package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.millrace.llm.meter.MeteredCall;

/** A stream handler that meters a stream, and passes everything on. */
final class MeteredHandler implements StreamingChatResponseHandler {
  private final StreamingChatResponseHandler handler;
  private final StreamMeter meter;

  MeteredHandler(StreamingChatResponseHandler handler, MeteredCall call, MeteredModels metering) {
    this.handler = handler;
    this.meter = new StreamMeter(call, metering);
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
