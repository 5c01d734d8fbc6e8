package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.util.SdkAutoConstructList;
import software.amazon.awssdk.core.util.SdkAutoConstructMap;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
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
 * The next step of a call to the table: a request, a pause or the reply. Most calls are one
 * request; some ask again for what DynamoDB left out. {@link Runner} runs the same steps on both
 * kinds of client.
 */
public sealed interface RequestStep {
  record Done(StoreReply reply) implements RequestStep {}

  /**
   * Nothing is sent for a while.
   *
   * @param next the step after the pause
   * @param interrupted the reply when the waiting thread is interrupted
   */
  record Pause(
      long pauseMs, Supplier<RequestStep> next, Function<StoreFailure, StoreReply> interrupted)
      implements RequestStep {}

  /**
   * A request is sent.
   *
   * @param timeoutMs the longest time until the answer, retries included
   * @param answered the step after an answer
   * @param failed the step after an error, or after no answer
   */
  record Ask<B extends DynamoDbRequest.Builder, A extends DynamoDbResponse>(
      Operation<B, A> operation,
      B request,
      long timeoutMs,
      Function<A, RequestStep> answered,
      Function<SdkException, RequestStep> failed)
      implements RequestStep {}

  /**
   * One operation of DynamoDB on either client.
   *
   * @param name as DynamoDB calls it
   * @param writes whether a request must not be sent again when its answer was lost
   */
  record Operation<B extends DynamoDbRequest.Builder, A extends DynamoDbResponse>(
      String name,
      boolean writes,
      BiFunction<DynamoDbClient, B, A> blocking,
      BiFunction<DynamoDbAsyncClient, B, CompletableFuture<A>> async) {
    public static final Operation<GetItemRequest.Builder, GetItemResponse> GET =
        new Operation<>(
            "GetItem", false, (c, r) -> c.getItem(r.build()), (c, r) -> c.getItem(r.build()));
    public static final Operation<PutItemRequest.Builder, PutItemResponse> PUT =
        new Operation<>(
            "PutItem", true, (c, r) -> c.putItem(r.build()), (c, r) -> c.putItem(r.build()));
    public static final Operation<UpdateItemRequest.Builder, UpdateItemResponse> UPDATE =
        new Operation<>(
            "UpdateItem",
            true,
            (c, r) -> c.updateItem(r.build()),
            (c, r) -> c.updateItem(r.build()));
    public static final Operation<DeleteItemRequest.Builder, DeleteItemResponse> DELETE =
        new Operation<>(
            "DeleteItem",
            true,
            (c, r) -> c.deleteItem(r.build()),
            (c, r) -> c.deleteItem(r.build()));
    public static final Operation<BatchGetItemRequest.Builder, BatchGetItemResponse> BATCH_GET =
        new Operation<>(
            "BatchGetItem",
            false,
            (c, r) -> c.batchGetItem(r.build()),
            (c, r) -> c.batchGetItem(r.build()));
    public static final Operation<BatchWriteItemRequest.Builder, BatchWriteItemResponse>
        BATCH_WRITE =
            new Operation<>(
                "BatchWriteItem",
                true,
                (c, r) -> c.batchWriteItem(r.build()),
                (c, r) -> c.batchWriteItem(r.build()));
    public static final Operation<TransactWriteItemsRequest.Builder, TransactWriteItemsResponse>
        TRANSACT =
            new Operation<>(
                "TransactWriteItems",
                true,
                (c, r) -> c.transactWriteItems(r.build()),
                (c, r) -> c.transactWriteItems(r.build()));
    public static final Operation<QueryRequest.Builder, QueryResponse> QUERY =
        new Operation<>("Query", false, (c, r) -> c.query(r.build()), (c, r) -> c.query(r.build()));
    public static final Operation<ScanRequest.Builder, ScanResponse> SCAN =
        new Operation<>("Scan", false, (c, r) -> c.scan(r.build()), (c, r) -> c.scan(r.build()));
  }

  static RequestStep done(StoreReply reply) {
    return new Done(reply);
  }

  /** The steps of {@code first}, then those that {@code next} makes of its reply. */
  static RequestStep then(RequestStep first, Function<StoreReply, RequestStep> next) {
    if (first instanceof Done done) {
      return next.apply(done.reply());
    }
    if (first instanceof Pause pause) {
      return new Pause(pause.pauseMs(), () -> then(pause.next().get(), next), pause.interrupted());
    }
    return then((Ask<?, ?>) first, next);
  }

  private static <B extends DynamoDbRequest.Builder, A extends DynamoDbResponse> RequestStep then(
      Ask<B, A> ask, Function<StoreReply, RequestStep> next) {
    return new Ask<>(
        ask.operation(),
        ask.request(),
        ask.timeoutMs(),
        answer -> then(ask.answered().apply(answer), next),
        failure -> then(ask.failed().apply(failure), next));
  }

  /**
   * Runs the steps of calls on one client, each request with its time limit and with retries that
   * are safe and few. There are two drivers: {@link #run} blocks, {@link #runAsync} does not.
   */
  final class Runner {
    /** Most steps of one call: more than any has, so that a mistake cannot loop for ever. */
    private static final int MAX_STEPS = 512;

    private static final SdkPlugin WRITES = plugin(RetryStrategies.WRITES);
    private static final SdkPlugin READS = plugin(RetryStrategies.READS);
    private final boolean needsPlugin;

    /** The options that were made last: callers seldom change their time limit. */
    private volatile @Nullable Options lastWrite;

    private volatile @Nullable Options lastRead;

    private record Options(long timeoutMs, AwsRequestOverrideConfiguration configuration) {}

    public Runner(SdkServiceClientConfiguration client) {
      this.needsPlugin =
          client.overrideConfiguration().retryStrategy().orElse(null) != RetryStrategies.WRITES;
    }

    /** Lets one request of any client be retried by {@code strategy}. */
    private static SdkPlugin plugin(RetryStrategy strategy) {
      return client ->
          client.overrideConfiguration(
              client.overrideConfiguration().toBuilder().retryStrategy(strategy).build());
    }

    /**
     * The options of a request: a write is sent again only when it surely had no effect, any other
     * request also when its answer was lost.
     */
    public AwsRequestOverrideConfiguration options(boolean writes, long timeoutMs) {
      Options last = writes ? lastWrite : lastRead;
      if (last == null || last.timeoutMs != timeoutMs) {
        if (timeoutMs < 1) {
          throw new IllegalArgumentException("timeoutMs " + timeoutMs + " must be positive");
        }
        AwsRequestOverrideConfiguration.Builder options =
            AwsRequestOverrideConfiguration.builder().apiCallTimeout(Duration.ofMillis(timeoutMs));
        if (needsPlugin) {
          options.addPlugin(writes ? WRITES : READS);
        }
        last = new Options(timeoutMs, options.build());
        if (writes) {
          lastWrite = last;
        } else {
          lastRead = last;
        }
      }
      return last.configuration;
    }

    public StoreReply run(DynamoDbClient client, RequestStep first) {
      RequestStep step = first;
      for (int steps = 0; steps < MAX_STEPS; steps++) {
        if (step instanceof Done done) {
          if (isInterrupted(done.reply())) {
            Thread.currentThread().interrupt(); // the caller's interrupt is kept
          }
          return done.reply();
        }
        step = step instanceof Pause pause ? pause(pause) : ask(client, (Ask<?, ?>) step);
      }
      throw new IllegalStateException("a call did not end: " + step);
    }

    private static RequestStep pause(Pause pause) {
      try {
        Thread.sleep(pause.pauseMs());
      } catch (InterruptedException e) {
        // The thread is interrupted again once the reply is out.
        return done(pause.interrupted().apply(new StoreFailure(StoreFailure.Kind.INTERRUPTED, e)));
      }
      return pause.next().get();
    }

    private static boolean isInterrupted(StoreReply reply) {
      return (reply instanceof StoreReply.Unknown unknown
              && unknown.failure().kind() == StoreFailure.Kind.INTERRUPTED)
          || (reply instanceof StoreReply.NotApplied notApplied
              && notApplied.failure().kind() == StoreFailure.Kind.INTERRUPTED);
    }

    private <B extends DynamoDbRequest.Builder, A extends DynamoDbResponse> RequestStep ask(
        DynamoDbClient client, Ask<B, A> ask) {
      A answer;
      try {
        answer = send(client, ask.operation(), ask.request(), ask.timeoutMs());
      } catch (SdkException e) {
        return ask.failed().apply(TruncatedAnswer.asBroken(e));
      } catch (UncheckedIOException e) {
        return ask.failed().apply(brokenOff(e));
      }
      return ask.answered().apply(answer);
    }

    /**
     * Sends one request and waits for the whole answer.
     *
     * @throws SdkException also when the answer was cut off
     */
    public <B extends DynamoDbRequest.Builder, A extends DynamoDbResponse> A send(
        DynamoDbClient client, Operation<B, A> operation, B request, long timeoutMs) {
      request.overrideConfiguration(options(operation.writes(), timeoutMs));
      A answer = operation.blocking().apply(client, request);
      SdkException broken = isEmpty(answer) ? TruncatedAnswer.asBroken(answer) : null;
      if (broken != null) {
        throw broken;
      }
      return answer;
    }

    public CompletableFuture<StoreReply> runAsync(DynamoDbAsyncClient client, RequestStep first) {
      return runAsync(client, first, 0);
    }

    private CompletableFuture<StoreReply> runAsync(
        DynamoDbAsyncClient client, RequestStep step, int steps) {
      if (step instanceof Done done) {
        return CompletableFuture.completedFuture(done.reply());
      }
      if (steps == MAX_STEPS) {
        return CompletableFuture.failedFuture(
            new IllegalStateException("a call did not end: " + step));
      }
      CompletableFuture<RequestStep> next =
          step instanceof Pause pause
              ? CompletableFuture.supplyAsync( // a timer of the JDK: no thread waits
                  pause.next(),
                  CompletableFuture.delayedExecutor(pause.pauseMs(), TimeUnit.MILLISECONDS))
              : askAsync(client, (Ask<?, ?>) step);
      return next.thenCompose(following -> runAsync(client, following, steps + 1));
    }

    private <B extends DynamoDbRequest.Builder, A extends DynamoDbResponse>
        CompletableFuture<RequestStep> askAsync(DynamoDbAsyncClient client, Ask<B, A> ask) {
      ask.request().overrideConfiguration(options(ask.operation().writes(), ask.timeoutMs()));
      return ask.operation()
          .async()
          .apply(client, ask.request())
          .handle((answer, failure) -> after(ask, answer, failure));
    }

    private static <A extends DynamoDbResponse> RequestStep after(
        Ask<?, A> ask, @Nullable A answer, @Nullable Throwable failure) {
      if (answer != null) {
        SdkException broken = isEmpty(answer) ? TruncatedAnswer.asBroken(answer) : null;
        return broken == null ? ask.answered().apply(answer) : ask.failed().apply(broken);
      }
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      if (cause instanceof SdkException sdk) {
        return ask.failed().apply(TruncatedAnswer.asBroken(sdk));
      }
      if (cause instanceof UncheckedIOException broken) {
        return ask.failed().apply(brokenOff(broken));
      }
      throw failure instanceof CompletionException wrapped
          ? wrapped
          : new CompletionException(failure);
    }

    /**
     * An HTTP client lets some errors of a connection through as they are. They do not show whether
     * the request was sent before.
     */
    private static SdkException brokenOff(UncheckedIOException e) {
      SdkException broken =
          SdkClientException.create("the connection broke", new IOException(e.getMessage()));
      broken.addSuppressed(e);
      return broken;
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
}
