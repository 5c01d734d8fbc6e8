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
  private final String table;
  private final RetryBudget budget;
  private Receipt receipt = Receipt.NONE;
  private int rounds;
  private int left;
  private boolean begun;

  BatchErase(String table, RetryBudget budget) {
    this.table = table;
    this.budget = budget;
  }

  RequestStep ask(BatchWriteItemRequest.Builder request) {
    rounds++;
    left = count(request.build().requestItems());
    // To delete twice is harmless, but an item that was made again meanwhile would be lost.
    return new RequestStep.Ask<>(
        Operation.BATCH_WRITE, request, budget.remainingMs(), this::answered, this::failed);
  }

  private RequestStep answered(BatchWriteItemResponse response) {
    receipt = Receipts.plus(receipt, Receipts.of(response));
    Map<String, List<WriteRequest>> unprocessed = response.unprocessedItems();
    begun |= count(unprocessed) < left;
    return unprocessed.isEmpty()
        ? RequestStep.done(new StoreReply.Erased(receipt))
        : budget.pause(rounds, () -> ask(BatchRequests.eraseAgain(unprocessed)), this::unfinished);
  }

  private RequestStep failed(SdkException failure) {
    StoreReply reply = SdkErrors.ofWrite(failure, table, Operation.BATCH_WRITE.name());
    receipt = Receipts.plus(receipt, reply.receipt());
    return RequestStep.done(
        reply instanceof StoreReply.Unknown unknown
            ? new StoreReply.Unknown(unknown.failure(), receipt)
            : unfinished(((StoreReply.NotApplied) reply).failure()));
  }

  private StoreReply unfinished(StoreFailure failure) {
    return begun
        ? new StoreReply.Unknown(failure, receipt)
        : new StoreReply.NotApplied(failure, receipt);
  }

  private static int count(Map<String, List<WriteRequest>> items) {
    return items.values().stream().mapToInt(List::size).sum();
  }
}
