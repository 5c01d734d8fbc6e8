package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;

/**
 * Reads many items, all of them or none. DynamoDB leaves out what it has no throughput for; what
 * was left out must not look like what is not there, so it is asked for again, and when that does
 * not help the whole call is throttled.
 */
public final class BatchRead {
  private final CallOptions options;
  private final RetryBudget budget;
  private final BiFunction<List<Map<String, AttributeValue>>, Receipt, RequestStep> complete;
  private final List<Map<String, AttributeValue>> items = new ArrayList<>();
  private Receipt receipt;
  private int rounds;

  /**
   * One read.
   *
   * @param spent what the call has cost so far
   * @param complete what comes when everything was read
   */
  public BatchRead(
      CallOptions options,
      RetryBudget budget,
      Receipt spent,
      BiFunction<List<Map<String, AttributeValue>>, Receipt, RequestStep> complete) {
    this.options = options;
    this.budget = budget;
    this.receipt = spent;
    this.complete = complete;
  }

  /** The first request, or a further one for what was left out. */
  public RequestStep ask(BatchGetItemRequest.Builder request) {
    rounds++;
    return new RequestStep.Ask<>(
        Operation.BATCH_GET,
        request.overrideConfiguration(options.ofRead(budget.remainingMs())).build(),
        this::answered,
        this::failed);
  }

  private RequestStep answered(BatchGetItemResponse response) {
    response.responses().values().forEach(items::addAll);
    receipt =
        Receipts.plus(
            receipt, Receipts.ofReads(response.consumedCapacity(), response.sdkHttpResponse()));
    if (response.unprocessedKeys().isEmpty()) {
      return complete.apply(items, receipt);
    }
    long pauseMs = budget.pauseMs(rounds);
    return pauseMs == RetryBudget.NONE
        ? RequestStep.done(giveUp(new StoreFailure(StoreFailure.Kind.THROTTLED, null)))
        : new RequestStep.Pause(
            pauseMs, () -> ask(BatchRequests.readAgain(response.unprocessedKeys())), this::giveUp);
  }

  private RequestStep failed(SdkException failure) {
    StoreReply reply = SdkErrors.ofRead(failure, options.table(), Operation.BATCH_GET.name());
    receipt = Receipts.plus(receipt, reply.receipt());
    return RequestStep.done(giveUp(((StoreReply.NotApplied) reply).failure()));
  }

  private StoreReply giveUp(StoreFailure failure) {
    return new StoreReply.NotApplied(failure, receipt);
  }
}
