package dev.millrace.dynamodb.client;

import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What comes next in a call: a request, a pause or the reply. Most calls are one request, some ask
 * again for what was left out. The same for both kinds of client; each has a small driver that does
 * what it is told.
 */
sealed interface Turn {
  /** Most turns of one call: more than any has, so that a mistake does not go on for ever. */
  int MAX_TURNS = 512;

  /** The call is over. */
  record Done(StoreReply reply) implements Turn {}

  /**
   * Nothing is sent for a while.
   *
   * @param next what comes then
   * @param interrupted what comes when whoever waits is told to stop
   */
  record Pause(long pauseMs, Supplier<Turn> next, Function<StoreFailure, StoreReply> interrupted)
      implements Turn {}

  /**
   * Something is sent.
   *
   * @param answered what comes after an answer
   * @param failed what comes when there was none, or an error
   */
  record Ask<Q, A extends SdkResponse>(
      Operation<Q, A> operation,
      Q request,
      Function<A, Turn> answered,
      Function<SdkException, Turn> failed)
      implements Turn {
    Turn send(DynamoDbClient client) {
      A answer;
      try {
        answer = operation.send(client, request);
      } catch (SdkException e) {
        return failed.apply(TruncatedAnswer.asBroken(e));
      } catch (UncheckedIOException e) {
        return failed.apply(brokenOff(e));
      }
      return answered.apply(answer);
    }

    /**
     * An HTTP client lets some errors of a connection through as they are. Whether the request was
     * sent before cannot be told from them.
     */
    private static SdkException brokenOff(UncheckedIOException e) {
      SdkException broken =
          SdkClientException.create("the connection broke", new IOException(e.getMessage()));
      broken.addSuppressed(e);
      return broken;
    }

    CompletableFuture<Turn> sendAsync(DynamoDbAsyncClient client) {
      return operation.async().apply(client, request).handle(this::after);
    }

    private Turn after(@Nullable A answer, @Nullable Throwable failure) {
      if (answer != null) {
        SdkException broken = TruncatedAnswer.brokenBy(answer);
        return broken == null ? answered.apply(answer) : failed.apply(broken);
      }
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      if (cause instanceof SdkException sdk) {
        return failed.apply(TruncatedAnswer.asBroken(sdk));
      }
      if (cause instanceof UncheckedIOException broken) {
        return failed.apply(brokenOff(broken));
      }
      throw failure instanceof CompletionException wrapped
          ? wrapped
          : new CompletionException(failure);
    }
  }

  /** A call that ends here. */
  static Turn done(StoreReply reply) {
    return new Done(reply);
  }
}
