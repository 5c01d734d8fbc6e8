package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.TransactionRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.IdempotentParameterMismatchException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends a transaction, and again when its answer was lost: under its token it is made once.
 *
 * <p>The SDK retries only what surely had no effect, as with every write. Sending again after a
 * lost answer is done here, because it has to be remembered: when the second try is throttled, the
 * first may have been made all the same, and the SDK would report the second only.
 */
public final class TransactionSend {
  /** Most times that a transaction is sent whose answer is lost each time. */
  public static final int MAX_SENDS = 3;

  private final String table;
  private final RetryBudget budget;
  private final StoreCall.Transaction call;
  private int sends;
  private boolean maybeMade;

  TransactionSend(String table, RetryBudget budget, StoreCall.Transaction call) {
    this.table = table;
    this.budget = budget;
    this.call = call;
  }

  RequestStep send() {
    sends++;
    TransactWriteItemsRequest.Builder request = TransactionRequests.of(table, call);
    List<TransactWriteItem> items = request.build().transactItems();
    return new RequestStep.Ask<>(
        Operation.TRANSACT,
        request,
        budget.remainingMs(),
        response ->
            RequestStep.done(
                new StoreReply.Committed(
                    Receipts.ofTransaction(response, TransactionRequests.leastWriteUnits(items)))),
        failure -> failed(items, failure));
  }

  private RequestStep failed(List<TransactWriteItem> items, SdkException failure) {
    if (failure instanceof TransactionCanceledException cancelled
        && SdkErrors.isRefusal(cancelled)) {
      return RequestStep.done(refused(items, cancelled));
    }
    if (failure instanceof IdempotentParameterMismatchException) {
      throw new IllegalArgumentException(
          "token '" + call.token() + "' was used for another transaction", failure);
    }
    StoreReply reply = SdkErrors.ofWrite(failure, table, Operation.TRANSACT.name());
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

  /** A cancelled transaction has a reason for each of its parts, in their order. */
  private StoreReply refused(
      List<TransactWriteItem> items, TransactionCanceledException cancelled) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    if (reasons.size() != items.size()) {
      throw cancelled; // the reasons cannot be assigned to the parts
    }
    List<Cause> causes = new ArrayList<>(reasons.size());
    int writeUnits = 0;
    for (int i = 0; i < reasons.size(); i++) {
      CancellationReason reason = reasons.get(i);
      causes.add(cause(i, reason));
      int oldUnits = reason.hasItem() ? ItemSize.writeUnits(reason.item()) : 1;
      writeUnits +=
          Math.max(
              TransactionRequests.leastWriteUnits(items.get(i)),
              TransactionRequests.UNITS * oldUnits);
    }
    return new StoreReply.Cancelled(causes, Receipts.ofCancellation(cancelled, writeUnits));
  }

  private Cause cause(int index, CancellationReason reason) {
    if (!SdkErrors.CONDITION_FAILED.equals(reason.code())) {
      return Cause.NONE;
    }
    int plans = call.plans().size();
    if (index < plans) {
      WritePlan plan = call.plans().get(index);
      BucketState state = reason.hasItem() ? BucketCodec.decode(plan.key(), reason.item()) : null;
      return new Cause(/* refused= */ true, state, null);
    }
    RecordChange change = call.changes().get(index - plans);
    StoredRecord record = reason.hasItem() ? RecordCodec.decode(change.key(), reason.item()) : null;
    return new Cause(/* refused= */ true, null, record);
  }
}
