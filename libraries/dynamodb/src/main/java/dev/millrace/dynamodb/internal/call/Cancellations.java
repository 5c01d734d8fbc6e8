package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.dynamodb.internal.expression.TransactionRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.ItemSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Reads a cancelled transaction, which has a reason for each of its parts, in their order. */
final class Cancellations {
  private static final String REFUSED = "ConditionalCheckFailed";
  private static final String CONFLICT = "TransactionConflict";
  private static final Set<String> THROTTLED =
      Set.of("ThrottlingError", "ProvisionedThroughputExceeded", "RequestLimitExceeded");

  private Cancellations() {}

  /** Whether a condition did not hold: then the same transaction will not pass later either. */
  static boolean isRefusal(TransactionCanceledException cancelled) {
    return has(cancelled, Set.of(REFUSED));
  }

  /**
   * Why it was turned away although every condition held, or may have; null when that was not the
   * reason. Throttling weighs more: whoever comes again should wait longer.
   */
  static @Nullable FailureClass outcome(TransactionCanceledException cancelled) {
    if (isRefusal(cancelled)) {
      return null;
    }
    if (has(cancelled, THROTTLED)) {
      return FailureClass.THROTTLED;
    }
    return has(cancelled, Set.of(CONFLICT)) ? FailureClass.CONFLICT : null;
  }

  private static boolean has(TransactionCanceledException cancelled, Set<String> codes) {
    for (CancellationReason reason : cancelled.cancellationReasons()) {
      if (reason.code() != null && codes.contains(reason.code())) {
        return true;
      }
    }
    return false;
  }

  /** The reply to {@code call}, of which some condition did not hold. */
  static StoreReply refused(
      StoreCall.Transaction call,
      TransactWriteItemsRequest request,
      TransactionCanceledException cancelled) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    if (reasons.size() != request.transactItems().size()) {
      throw cancelled; // nobody could say which part a reason is of
    }
    List<Cause> causes = new ArrayList<>(reasons.size());
    int writeUnits = 0;
    for (int i = 0; i < reasons.size(); i++) {
      CancellationReason reason = reasons.get(i);
      causes.add(cause(call, i, reason));
      int oldUnits = reason.hasItem() ? ItemSize.writeUnits(reason.item()) : 1;
      writeUnits +=
          Math.max(
              TransactionRequests.leastWriteUnits(request.transactItems().get(i)),
              TransactionRequests.UNITS * oldUnits);
    }
    return new StoreReply.Cancelled(causes, Receipts.ofCancellation(cancelled, writeUnits));
  }

  private static Cause cause(StoreCall.Transaction call, int index, CancellationReason reason) {
    if (!REFUSED.equals(reason.code())) {
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
