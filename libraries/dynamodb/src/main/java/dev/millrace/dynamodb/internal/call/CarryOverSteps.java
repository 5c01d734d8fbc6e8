package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.legacy.CarryPlan;
import dev.millrace.dynamodb.internal.legacy.OldBucketRequests;
import dev.millrace.dynamodb.internal.legacy.OldItems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Carries over what an older schema has of buckets that do not exist today, one after the other:
 * looks for the old items and makes the bucket of them in one transaction. Whoever is second finds
 * the bucket and takes it as it is.
 *
 * <p>Nothing is charged here, so whatever fails is a call that had no effect.
 */
public final class CarryOverSteps {
  /** Most times that a transaction is planned anew in one call, because somebody was quicker. */
  public static final int MAX_TRIES = 8;

  private final CallOptions options;
  private final RetryBudget budget;
  private final List<BucketKey> keys;
  private final BiFunction<Map<BucketKey, BucketState>, Receipt, RequestStep> complete;
  private final Map<BucketKey, BucketState> found = new HashMap<>();
  private Receipt receipt;
  private int at;
  private int tries;

  /**
   * One carry-over.
   *
   * @param spent what the call has cost so far
   * @param keys buckets that were not there when somebody looked, first shards
   * @param complete what comes when each was looked for; it is told which of them there are now
   */
  CarryOverSteps(
      CallOptions options,
      RetryBudget budget,
      Receipt spent,
      List<BucketKey> keys,
      BiFunction<Map<BucketKey, BucketState>, Receipt, RequestStep> complete) {
    this.options = options;
    this.budget = budget;
    this.receipt = spent;
    this.keys = List.copyOf(keys);
    this.complete = complete;
  }

  /** The first turn, or the next one for the next bucket. */
  RequestStep next() {
    return at == keys.size() ? complete.apply(found, receipt) : find();
  }

  private RequestStep find() {
    return new RequestStep.Ask<>(
        Operation.QUERY,
        OldBucketRequests.find(options.table(), keys.get(at))
            .overrideConfiguration(options.ofRead(budget.remainingMs()))
            .build(),
        this::plan,
        failure -> failed(SdkErrors.ofRead(failure, options.table(), Operation.QUERY.name())));
  }

  private RequestStep plan(QueryResponse response) {
    Receipt read =
        Receipts.ofReads(
            response.consumedCapacity() == null ? List.of() : List.of(response.consumedCapacity()),
            response.sdkHttpResponse());
    receipt = Receipts.plus(receipt, read);
    long nowMs =
        read.storeTimeMs() == Receipt.NO_TIME ? System.currentTimeMillis() : read.storeTimeMs();
    CarryPlan plan =
        CarryPlan.of(
            options.table(),
            OldItems.of(keys.get(at), response.items()),
            /* today= */ null,
            nowMs,
            /* cleanUp= */ false);
    BucketState made = plan.made();
    // What old clients consumed afterwards is the migration's: it reads today's bucket too.
    return plan.kind() == CarryPlan.Kind.MOVE && made != null ? send(plan, made) : done(null);
  }

  private RequestStep send(CarryPlan plan, BucketState made) {
    return new RequestStep.Ask<>(
        Operation.TRANSACT,
        OldBucketRequests.transaction(plan)
            .overrideConfiguration(options.ofWrite(budget.remainingMs()))
            .build(),
        response -> committed(plan, made, response),
        this::refused);
  }

  private RequestStep committed(
      CarryPlan plan, BucketState made, TransactWriteItemsResponse response) {
    int leastWriteUnits = OldBucketRequests.leastWriteUnits(plan);
    receipt = Receipts.plus(receipt, Receipts.ofTransaction(response, leastWriteUnits));
    return done(made);
  }

  private RequestStep done(@Nullable BucketState state) {
    if (state != null) {
      found.put(keys.get(at), state);
    }
    at++;
    return next();
  }

  private RequestStep refused(SdkException failure) {
    if (failure instanceof TransactionCanceledException cancelled
        && Cancellations.isRefusal(cancelled)) {
      return read();
    }
    StoreReply reply = SdkErrors.ofWrite(failure, options.table(), Operation.TRANSACT.name());
    if (reply instanceof StoreReply.NotApplied notApplied
        && notApplied.failure().kind() == StoreFailure.Kind.CONFLICT) {
      long pauseMs = budget.pauseMs(tries + 1); // somebody else is just carrying it over
      if (pauseMs != RetryBudget.NONE) {
        return new RequestStep.Pause(
            pauseMs, this::read, stopped -> new StoreReply.NotApplied(stopped, receipt));
      }
    }
    return failed(reply);
  }

  /** Looks whether somebody else has made the bucket meanwhile. */
  private RequestStep read() {
    BucketKey key = keys.get(at);
    return new RequestStep.Ask<>(
        Operation.GET,
        PlanRequests.read(options.table(), key)
            .overrideConfiguration(options.ofRead(budget.remainingMs()))
            .build(),
        response -> look(key, response),
        failure -> failed(SdkErrors.ofRead(failure, options.table(), Operation.GET.name())));
  }

  private RequestStep look(BucketKey key, GetItemResponse response) {
    receipt =
        Receipts.plus(
            receipt, Receipts.ofRead(response.consumedCapacity(), response.sdkHttpResponse()));
    if (response.hasItem()) {
      return done(BucketCodec.decode(key, response.item()));
    }
    tries++;
    return tries < MAX_TRIES
        ? find()
        : RequestStep.done(
            new StoreReply.NotApplied(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), receipt));
  }

  private RequestStep failed(StoreReply reply) {
    StoreFailure failure =
        reply instanceof StoreReply.Unknown unknown
            ? unknown.failure()
            : ((StoreReply.NotApplied) reply).failure();
    return RequestStep.done(
        new StoreReply.NotApplied(failure, Receipts.plus(receipt, reply.receipt())));
  }
}
