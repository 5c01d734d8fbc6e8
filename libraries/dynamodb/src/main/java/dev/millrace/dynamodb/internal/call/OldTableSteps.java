package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/**
 * The steps of calls to a table that may hold buckets of an older schema, in front of those of
 * today's. A call that finds no bucket, or would create one, carries the old one over first; to its
 * caller it is as if the bucket had been there, or as if another process had just created it.
 *
 * <p>Every look-up of the schema record tells whether there may be older buckets. Limiters and the
 * administration look it up before they use a table, and limiters again every minute, so it costs
 * no read to know. Calls to a table without older buckets do not come here.
 */
public final class OldTableSteps {
  private static final RecordKey SCHEMA = new RecordKey.Schema();

  private final CallSteps today;
  private final CallOptions options;
  private final AtomicBoolean mayHoldOlder;

  /**
   * In front of {@code today}.
   *
   * @param mayHoldOlder is set by what look-ups find
   */
  public OldTableSteps(CallSteps today, AtomicBoolean mayHoldOlder) {
    this.today = today;
    this.options = today.options();
    this.mayHoldOlder = mayHoldOlder;
  }

  /** The first step of {@code call}, whose last one has the reply. */
  public RequestStep first(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Lookup lookup) {
      return RequestStep.then(today.first(call, timeoutMs), reply -> lookedUp(lookup, reply));
    }
    if (!mayHoldOlder.get()) {
      return today.first(call, timeoutMs);
    }
    RetryBudget budget = new RetryBudget(timeoutMs);
    if (call instanceof StoreCall.Write write && isNewBucket(write.plan())) {
      return carryAndWrite(write, budget);
    }
    if (call instanceof StoreCall.Read read && read.key().shard() == 0) {
      return RequestStep.then(today.first(call, timeoutMs), reply -> read(read, budget, reply));
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      return RequestStep.then(
          today.first(call, timeoutMs), reply -> readAll(readAll, budget, reply));
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return transaction(transaction, budget);
    }
    return today.first(call, timeoutMs);
  }

  private RequestStep lookedUp(StoreCall.Lookup call, StoreReply reply) {
    if (reply instanceof StoreReply.Records found && call.keys().contains(SCHEMA)) {
      mayHoldOlder.set(
          found.records().get(SCHEMA) instanceof SchemaRecord schema && schema.mayHoldOlder());
    }
    return RequestStep.done(reply);
  }

  private static boolean isNewBucket(WritePlan plan) {
    return plan instanceof WritePlan.Create && plan.key().shard() == 0;
  }

  private RequestStep carryAndWrite(StoreCall.Write call, RetryBudget budget) {
    BucketKey key = call.plan().key();
    return carryOver(
        List.of(key),
        budget,
        Receipt.NONE,
        (found, spent) ->
            found.isEmpty()
                ? today.first(call, budget.remainingMs())
                : RequestStep.done(new StoreReply.Refused(found.get(key), spent)));
  }

  private RequestStep read(StoreCall.Read call, RetryBudget budget, StoreReply reply) {
    return reply instanceof StoreReply.Found found && found.state() == null
        ? carryOver(
            List.of(call.key()),
            budget,
            reply.receipt(),
            (carried, spent) ->
                RequestStep.done(new StoreReply.Found(carried.get(call.key()), spent)))
        : RequestStep.done(reply);
  }

  private RequestStep readAll(StoreCall.ReadAll call, RetryBudget budget, StoreReply reply) {
    if (!(reply instanceof StoreReply.FoundAll found)) {
      return RequestStep.done(reply);
    }
    List<BucketKey> missing =
        call.keys().stream()
            .filter(key -> key.shard() == 0 && !found.states().containsKey(key))
            .toList();
    return carryOver(
        missing,
        budget,
        reply.receipt(),
        (carried, spent) -> {
          Map<BucketKey, BucketState> states = new HashMap<>(found.states());
          states.putAll(carried);
          return RequestStep.done(new StoreReply.FoundAll(states, spent));
        });
  }

  private RequestStep transaction(StoreCall.Transaction call, RetryBudget budget) {
    List<BucketKey> created =
        call.plans().stream().filter(OldTableSteps::isNewBucket).map(WritePlan::key).toList();
    return carryOver(
        created,
        budget,
        Receipt.NONE,
        (found, spent) ->
            found.isEmpty()
                ? today.first(call, budget.remainingMs())
                : RequestStep.done(refused(call, found, spent)));
  }

  private static StoreReply refused(
      StoreCall.Transaction call, Map<BucketKey, BucketState> found, Receipt spent) {
    List<StoreReply.Cancelled.Cause> causes = new ArrayList<>();
    for (WritePlan plan : call.plans()) {
      BucketState state = isNewBucket(plan) ? found.get(plan.key()) : null;
      causes.add(
          state == null
              ? StoreReply.Cancelled.Cause.NONE
              : new StoreReply.Cancelled.Cause(/* refused= */ true, state, null));
    }
    call.changes().forEach(change -> causes.add(StoreReply.Cancelled.Cause.NONE));
    return new StoreReply.Cancelled(causes, spent);
  }

  private RequestStep carryOver(
      List<BucketKey> keys,
      RetryBudget budget,
      Receipt spent,
      BiFunction<Map<BucketKey, BucketState>, Receipt, RequestStep> next) {
    return new CarryOverSteps(options, budget, spent, keys, next).next();
  }
}
