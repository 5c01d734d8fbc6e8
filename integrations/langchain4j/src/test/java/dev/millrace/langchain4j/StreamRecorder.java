package dev.millrace.langchain4j;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A reader of a stream that records it, and can disconnect after a number of parts. */
final class StreamRecorder implements StreamingChatResponseHandler {
  private static final long PATIENCE_SECONDS = 60;
  private static final int NEVER = -1;

  private final int hangUpAfter;
  private final Runnable before;
  private final StringBuilder text = new StringBuilder();
  private final CompletableFuture<ChatResponse> response = new CompletableFuture<>();
  private final CompletableFuture<Boolean> hungUp = new CompletableFuture<>();
  private int pieces;

  private StreamRecorder(int hangUpAfter, Runnable before) {
    this.hangUpAfter = hangUpAfter;
    this.before = before;
  }

  static StreamRecorder all() {
    return new StreamRecorder(NEVER, () -> {});
  }

  static StreamRecorder hangingUpAfter(int pieces) {
    return hangingUpAfter(pieces, () -> {});
  }

  /** One that does something before it hangs up. */
  static StreamRecorder hangingUpAfter(int pieces, Runnable before) {
    return new StreamRecorder(pieces, before);
  }

  @Override
  public synchronized void onPartialResponse(
      PartialResponse piece, PartialResponseContext context) {
    text.append(piece.text());
    pieces++;
    if (pieces == hangUpAfter) {
      before.run();
      context.streamingHandle().cancel();
      hungUp.complete(context.streamingHandle().isCancelled());
    }
  }

  @Override
  public void onCompleteResponse(ChatResponse complete) {
    response.complete(complete);
  }

  @Override
  public void onError(Throwable failure) {
    response.completeExceptionally(failure);
  }

  synchronized String text() {
    return text.toString();
  }

  ChatResponse response() {
    return result(response);
  }

  boolean hungUp() {
    return result(hungUp);
  }

  Throwable failure() {
    try {
      throw new AssertionError("no failure but " + get(response));
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    }
  }

  private static <T> T result(CompletableFuture<T> future) {
    try {
      return get(future);
    } catch (ExecutionException e) {
      throw new AssertionError("failed", e.getCause());
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws ExecutionException {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no end of the stream", e);
    }
  }
}
