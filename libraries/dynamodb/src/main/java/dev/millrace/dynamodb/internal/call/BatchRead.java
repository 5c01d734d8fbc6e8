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
 * Reads many items, all of them or none. DynamoDB leaves out items that it has no throughput for;
 * they must not look absent, so they are read again, and when that does not help the whole call is
 * throttled.
 */
public final class BatchRead {
  private final String table;
  private final RetryBudget budget;
  private final BiFunction<List<Map<String, AttributeValue>>, Receipt, RequestStep> complete;
  private final List<Map<String, AttributeValue>> items = new ArrayList<>();
  private Receipt receipt;
  private int rounds;

  /**
   * One read.
   *
   * @param spent the cost of the call so far
   * @param complete the step after everything was read
   */
  public BatchRead(
      String table,
      RetryBudget budget,
      Receipt spent,
      BiFunction<List<Map<String, AttributeValue>>, Receipt, RequestStep> complete) {
    this.table = table;
    this.budget = budget;
    this.receipt = spent;
    this.complete = complete;
  }

  public RequestStep ask(BatchGetItemRequest.Builder request) {
    rounds++;
    return new RequestStep.Ask<>(
        Operation.BATCH_GET, request, budget.remainingMs(), this::answered, this::failed);
  }

  private RequestStep answered(BatchGetItemResponse response) {
    response.responses().values().forEach(items::addAll);
    receipt = Receipts.plus(receipt, Receipts.of(response));
    return response.unprocessedKeys().isEmpty()
        ? complete.apply(items, receipt)
        : budget.pause(
            rounds,
            () -> ask(BatchRequests.readAgain(response.unprocessedKeys())),
            this::unfinished);
  }

  private RequestStep failed(SdkException failure) {
    StoreReply reply = SdkErrors.ofRead(failure, table, Operation.BATCH_GET.name());
    receipt = Receipts.plus(receipt, reply.receipt());
    return RequestStep.done(unfinished(((StoreReply.NotApplied) reply).failure()));
  }

  private StoreReply unfinished(StoreFailure failure) {
    return new StoreReply.NotApplied(failure, receipt);
  }
}
