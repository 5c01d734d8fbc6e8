package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The steps of calls to a table that may hold buckets of an older schema; they decorate those of
 * today's. A call that finds no bucket, or would create one, carries the old one over first; to its
 * caller it is as if the bucket had been there, or as if another process had just created it. Calls
 * to a table without older buckets do not come here.
 */
final class OldTableSteps implements TableSteps {
  private final String table;
  private final TableSteps today;

  OldTableSteps(String table, TableSteps today) {
    this.table = table;
    this.today = today;
  }

  @Override
  public TableSteps forSchema(boolean mayHoldOlder) {
    return mayHoldOlder ? this : today;
  }

  @Override
  public RequestStep first(StoreCall call, long timeoutMs) {
    RetryBudget budget = new RetryBudget(timeoutMs);
    if (call instanceof StoreCall.Write write && isNewBucket(write.plan())) {
      BucketKey key = write.key();
      return carryOver(
          List.of(key),
          budget,
          Receipt.NONE,
          (found, spent) ->
              found.isEmpty()
                  ? today.first(call, budget.remainingMs())
                  : RequestStep.done(new StoreReply.Refused(found.get(key), spent)));
    }
    if (call instanceof StoreCall.Read read && read.key().shard() == 0) {
      return RequestStep.then(
          today.first(call, timeoutMs), reply -> read(read.key(), budget, reply));
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      return RequestStep.then(
          today.first(call, timeoutMs), reply -> readAll(readAll.keys(), budget, reply));
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return carryOver(
          transaction.plans().stream()
              .filter(OldTableSteps::isNewBucket)
              .map(WritePlan::key)
              .toList(),
          budget,
          Receipt.NONE,
          (found, spent) ->
              found.isEmpty()
                  ? today.first(call, budget.remainingMs())
                  : RequestStep.done(refused(transaction, found, spent)));
    }
    return today.first(call, timeoutMs);
  }

  private static boolean isNewBucket(WritePlan plan) {
    return plan instanceof WritePlan.Create && plan.key().shard() == 0;
  }

  private RequestStep read(BucketKey key, RetryBudget budget, StoreReply reply) {
    return reply instanceof StoreReply.Found found && found.state() == null
        ? carryOver(
            List.of(key),
            budget,
            reply.receipt(),
            (carried, spent) -> RequestStep.done(new StoreReply.Found(carried.get(key), spent)))
        : RequestStep.done(reply);
  }

  private RequestStep readAll(List<BucketKey> keys, RetryBudget budget, StoreReply reply) {
    if (!(reply instanceof StoreReply.FoundAll found)) {
      return RequestStep.done(reply);
    }
    return carryOver(
        keys.stream().filter(key -> key.shard() == 0 && !found.states().containsKey(key)).toList(),
        budget,
        reply.receipt(),
        (carried, spent) -> {
          Map<BucketKey, BucketState> states = new HashMap<>(found.states());
          states.putAll(carried);
          return RequestStep.done(new StoreReply.FoundAll(states, spent));
        });
  }

  private static StoreReply refused(
      StoreCall.Transaction call, Map<BucketKey, BucketState> found, Receipt spent) {
    List<Cause> causes = new ArrayList<>();
    for (WritePlan plan : call.plans()) {
      BucketState state = isNewBucket(plan) ? found.get(plan.key()) : null;
      causes.add(state == null ? Cause.NONE : new Cause(/* refused= */ true, state, null));
    }
    call.changes().forEach(change -> causes.add(Cause.NONE));
    return new StoreReply.Cancelled(causes, spent);
  }

  private RequestStep carryOver(
      List<BucketKey> keys,
      RetryBudget budget,
      Receipt spent,
      BiFunction<Map<BucketKey, BucketState>, Receipt, RequestStep> next) {
    return new CarryOverSteps(table, budget, spent, keys, next).next();
  }
}
