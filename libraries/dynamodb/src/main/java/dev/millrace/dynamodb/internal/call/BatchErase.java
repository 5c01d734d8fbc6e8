package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Deletes many items. What DynamoDB left out is deleted in a further request. A batch is no
 * transaction: when that does not help either, some may be gone and some not, so the reply says
 * that the outcome is unknown, unless nothing at all was done.
 */
final class BatchErase {
  private final CallOptions options;
  private final RetryBudget budget;
  private Receipt receipt = Receipt.NONE;
  private int rounds;
  private int left;
  private boolean begun;

  BatchErase(CallOptions options, RetryBudget budget) {
    this.options = options;
    this.budget = budget;
  }

  RequestStep ask(BatchWriteItemRequest.Builder builder) {
    rounds++;
    // To delete twice is harmless, but an item that was made again meanwhile would be lost.
    BatchWriteItemRequest request =
        builder.overrideConfiguration(options.ofWrite(budget.remainingMs())).build();
    left = count(request.requestItems());
    return new RequestStep.Ask<>(Operation.BATCH_WRITE, request, this::answered, this::failed);
  }

  private RequestStep answered(BatchWriteItemResponse response) {
    receipt =
        Receipts.plus(
            receipt, Receipts.ofWrites(response.consumedCapacity(), response.sdkHttpResponse()));
    Map<String, List<WriteRequest>> unprocessed = response.unprocessedItems();
    begun |= count(unprocessed) < left;
    if (unprocessed.isEmpty()) {
      return RequestStep.done(new StoreReply.Erased(receipt));
    }
    long pauseMs = budget.pauseMs(rounds);
    return pauseMs == RetryBudget.NONE
        ? RequestStep.done(giveUp(new StoreFailure(StoreFailure.Kind.THROTTLED, null)))
        : new RequestStep.Pause(
            pauseMs, () -> ask(BatchRequests.eraseAgain(unprocessed)), this::giveUp);
  }

  private RequestStep failed(SdkException failure) {
    StoreReply reply = SdkErrors.ofWrite(failure, options.table(), Operation.BATCH_WRITE.name());
    receipt = Receipts.plus(receipt, reply.receipt());
    if (reply instanceof StoreReply.Unknown unknown) {
      return RequestStep.done(new StoreReply.Unknown(unknown.failure(), receipt));
    }
    return RequestStep.done(giveUp(((StoreReply.NotApplied) reply).failure()));
  }

  private StoreReply giveUp(StoreFailure failure) {
    return begun
        ? new StoreReply.Unknown(failure, receipt)
        : new StoreReply.NotApplied(failure, receipt);
  }

  private static int count(Map<String, List<WriteRequest>> items) {
    return items.values().stream().mapToInt(List::size).sum();
  }
}
