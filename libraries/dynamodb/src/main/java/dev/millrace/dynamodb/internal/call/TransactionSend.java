package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.TransactionRequests;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends a transaction, and again when its answer was lost: under its token it is made once.
 *
 * <p>The SDK retries only what surely had no effect, as with every write. Sending again after a
 * lost answer is done here, because it has to be remembered: when the second try is throttled, the
 * first may have been made all the same, and the SDK would tell of the second only.
 */
public final class TransactionSend {
  /** Most times that a transaction is sent whose answer is lost each time. */
  public static final int MAX_SENDS = 3;

  private final CallOptions options;
  private final RetryBudget budget;
  private final StoreCall.Transaction call;
  private int sends;
  private boolean maybeMade;

  TransactionSend(CallOptions options, RetryBudget budget, StoreCall.Transaction call) {
    this.options = options;
    this.budget = budget;
    this.call = call;
  }

  RequestStep send() {
    sends++;
    TransactWriteItemsRequest request =
        TransactionRequests.of(options.table(), call)
            .overrideConfiguration(options.ofWrite(budget.remainingMs()))
            .build();
    return new RequestStep.Ask<>(
        Operation.TRANSACT,
        request,
        response -> committed(request, response),
        failure -> failed(request, failure));
  }

  private static RequestStep committed(
      TransactWriteItemsRequest request, TransactWriteItemsResponse response) {
    int leastWriteUnits = TransactionRequests.leastWriteUnits(request);
    return RequestStep.done(
        new StoreReply.Committed(Receipts.ofTransaction(response, leastWriteUnits)));
  }

  private RequestStep failed(TransactWriteItemsRequest request, SdkException failure) {
    if (failure instanceof TransactionCanceledException cancelled
        && Cancellations.isRefusal(cancelled)) {
      return RequestStep.done(Cancellations.refused(call, request, cancelled));
    }
    if (failure instanceof IdempotentParameterMismatchException) {
      throw new IllegalArgumentException(
          "token '" + call.token() + "' was used for another transaction", failure);
    }
    StoreReply reply = SdkErrors.ofWrite(failure, options.table(), Operation.TRANSACT.name());
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return RequestStep.done(
          maybeMade
              ? new StoreReply.Unknown(notApplied.failure(), notApplied.receipt())
              : notApplied);
    }
    maybeMade = true;
    StoreFailure lost = ((StoreReply.Unknown) reply).failure();
    long pauseMs =
        sends < MAX_SENDS && lost.kind() != StoreFailure.Kind.INTERRUPTED
            ? budget.pauseMs(sends)
            : RetryBudget.NONE;
    return pauseMs == RetryBudget.NONE
        ? RequestStep.done(reply)
        : new RequestStep.Pause(
            pauseMs, this::send, stopped -> new StoreReply.Unknown(stopped, Receipt.NONE));
  }
}
