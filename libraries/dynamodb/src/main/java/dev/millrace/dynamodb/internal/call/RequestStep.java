package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.util.SdkAutoConstructList;
import software.amazon.awssdk.core.util.SdkAutoConstructMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The next step of a call to the store: a request, a pause or the reply. Most calls are one
 * request; some ask again for what DynamoDB left out. Both kinds of client run the same steps, each
 * with a small driver.
 */
public sealed interface RequestStep {
  /** Most steps of one call: more than any has, so that a mistake cannot loop for ever. */
  int MAX_STEPS = 512;

  /** The call is over. */
  record Done(StoreReply reply) implements RequestStep {}

  /**
   * Nothing is sent for a while.
   *
   * @param next what comes then
   * @param interrupted what comes when the waiting thread is interrupted
   */
  record Pause(
      long pauseMs, Supplier<RequestStep> next, Function<StoreFailure, StoreReply> interrupted)
      implements RequestStep {}

  /**
   * Something is sent.
   *
   * @param answered what comes after an answer
   * @param failed what comes when there was none, or an error
   */
  record Ask<Q, A extends SdkResponse>(
      Operation<Q, A> operation,
      Q request,
      Function<A, RequestStep> answered,
      Function<SdkException, RequestStep> failed)
      implements RequestStep {
    /** Sends it and waits; the next step is what comes after the answer or the failure. */
    public RequestStep send(DynamoDbClient client) {
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

    /** The same without waiting. */
    public CompletableFuture<RequestStep> sendAsync(DynamoDbAsyncClient client) {
      return operation.async().apply(client, request).handle(this::after);
    }

    private RequestStep after(@Nullable A answer, @Nullable Throwable failure) {
      if (answer != null) {
        SdkException broken = Operation.isEmpty(answer) ? TruncatedAnswer.asBroken(answer) : null;
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

  /**
   * One operation of DynamoDB on either client.
   *
   * @param name as DynamoDB calls it
   * @param blocking sends it and waits
   * @param async sends it and does not wait
   */
  record Operation<Q, A extends SdkResponse>(
      String name,
      BiFunction<DynamoDbClient, Q, A> blocking,
      BiFunction<DynamoDbAsyncClient, Q, CompletableFuture<A>> async) {
    public static final Operation<GetItemRequest, GetItemResponse> GET =
        new Operation<>("GetItem", DynamoDbClient::getItem, DynamoDbAsyncClient::getItem);

    public static final Operation<PutItemRequest, PutItemResponse> PUT =
        new Operation<>("PutItem", DynamoDbClient::putItem, DynamoDbAsyncClient::putItem);

    public static final Operation<UpdateItemRequest, UpdateItemResponse> UPDATE =
        new Operation<>("UpdateItem", DynamoDbClient::updateItem, DynamoDbAsyncClient::updateItem);

    public static final Operation<DeleteItemRequest, DeleteItemResponse> DELETE =
        new Operation<>("DeleteItem", DynamoDbClient::deleteItem, DynamoDbAsyncClient::deleteItem);

    public static final Operation<BatchGetItemRequest, BatchGetItemResponse> BATCH_GET =
        new Operation<>(
            "BatchGetItem", DynamoDbClient::batchGetItem, DynamoDbAsyncClient::batchGetItem);

    public static final Operation<BatchWriteItemRequest, BatchWriteItemResponse> BATCH_WRITE =
        new Operation<>(
            "BatchWriteItem", DynamoDbClient::batchWriteItem, DynamoDbAsyncClient::batchWriteItem);

    public static final Operation<TransactWriteItemsRequest, TransactWriteItemsResponse> TRANSACT =
        new Operation<>(
            "TransactWriteItems",
            DynamoDbClient::transactWriteItems,
            DynamoDbAsyncClient::transactWriteItems);

    public static final Operation<QueryRequest, QueryResponse> QUERY =
        new Operation<>("Query", DynamoDbClient::query, DynamoDbAsyncClient::query);

    public static final Operation<ScanRequest, ScanResponse> SCAN =
        new Operation<>("Scan", DynamoDbClient::scan, DynamoDbAsyncClient::scan);

    /**
     * Sends a request and waits for the whole answer.
     *
     * @throws SdkException also when the answer was cut off
     */
    public A send(DynamoDbClient client, Q request) {
      A answer = blocking.apply(client, request);
      SdkException broken = isEmpty(answer) ? TruncatedAnswer.asBroken(answer) : null;
      if (broken != null) {
        throw broken;
      }
      return answer;
    }

    private static boolean isEmpty(SdkResponse answer) {
      for (SdkField<?> field : answer.sdkFields()) {
        Object value = field.getValueOrDefault(answer);
        if (value != null
            && !(value instanceof SdkAutoConstructList)
            && !(value instanceof SdkAutoConstructMap)) {
          return false;
        }
      }
      return true;
    }
  }

  /** A call that ends here. */
  static RequestStep done(StoreReply reply) {
    return new Done(reply);
  }

  /** The steps of {@code first}, then what {@code next} makes of its reply. */
  static RequestStep then(RequestStep first, Function<StoreReply, RequestStep> next) {
    if (first instanceof Done done) {
      return next.apply(done.reply());
    }
    if (first instanceof Pause pause) {
      return new Pause(pause.pauseMs(), () -> then(pause.next().get(), next), pause.interrupted());
    }
    return then((Ask<?, ?>) first, next);
  }

  private static <Q, A extends SdkResponse> RequestStep then(
      Ask<Q, A> ask, Function<StoreReply, RequestStep> next) {
    return new Ask<>(
        ask.operation(),
        ask.request(),
        answer -> then(ask.answered().apply(answer), next),
        failure -> then(ask.failed().apply(failure), next));
  }
}
