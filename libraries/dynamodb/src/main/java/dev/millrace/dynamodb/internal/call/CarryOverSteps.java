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
import dev.millrace.dynamodb.internal.legacy.OldItems;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Carries over what an older schema has of buckets that do not exist today, one after the other:
 * looks for the old items and makes the bucket of them in one transaction. A process that is second
 * finds the bucket and takes it as it is.
 *
 * <p>Nothing is charged here, so whatever fails is a call that had no effect.
 */
public final class CarryOverSteps {
  /** Most times that a transaction is planned in one call, because other writers were faster. */
  public static final int MAX_TRIES = 8;

  private final String table;
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
   * @param spent the cost of the call so far
   * @param keys buckets that were absent when they were read, first shards
   * @param complete the step after each was looked for, given those that exist now
   */
  CarryOverSteps(
      String table,
      RetryBudget budget,
      Receipt spent,
      List<BucketKey> keys,
      BiFunction<Map<BucketKey, BucketState>, Receipt, RequestStep> complete) {
    this.table = table;
    this.budget = budget;
    this.receipt = spent;
    this.keys = keys;
    this.complete = complete;
  }

  RequestStep next() {
    return at == keys.size() ? complete.apply(found, receipt) : find();
  }

  private RequestStep find() {
    return new RequestStep.Ask<>(
        Operation.QUERY,
        OldItems.query(table, keys.get(at)),
        budget.remainingMs(),
        this::plan,
        failure -> failed(SdkErrors.ofRead(failure, table, Operation.QUERY.name())));
  }

  private RequestStep plan(QueryResponse response) {
    receipt = Receipts.plus(receipt, Receipts.of(response));
    CarryPlan plan =
        CarryPlan.of(
            table,
            OldItems.of(keys.get(at), response.items()),
            /* today= */ null,
            Receipts.nowMs(response.sdkHttpResponse()),
            /* cleanUp= */ false);
    BucketState made = plan.made();
    // The consumption of old clients since then is left to the migration: it reads today's bucket.
    return plan.kind() == CarryPlan.Kind.MOVE && made != null
        ? new RequestStep.Ask<>(
            Operation.TRANSACT,
            plan.request(),
            budget.remainingMs(),
            done -> {
              receipt =
                  Receipts.plus(receipt, Receipts.ofTransaction(done, plan.leastWriteUnits()));
              return done(made);
            },
            this::refused)
        : done(null);
  }

  private RequestStep done(@Nullable BucketState state) {
    if (state != null) {
      found.put(keys.get(at), state);
    }
    at++;
    return next();
  }

  private RequestStep refused(SdkException failure) {
    if (SdkErrors.isRefusal(failure)) {
      return read();
    }
    StoreReply reply = SdkErrors.ofWrite(failure, table, Operation.TRANSACT.name());
    if (reply instanceof StoreReply.NotApplied notApplied
        && notApplied.failure().kind() == StoreFailure.Kind.CONFLICT) {
      long pauseMs = budget.pauseMs(tries + 1); // another process is just carrying it over
      if (pauseMs != RetryBudget.NONE) {
        return new RequestStep.Pause(
            pauseMs, this::read, stopped -> new StoreReply.NotApplied(stopped, receipt));
      }
    }
    return failed(reply);
  }

  /** Reads the bucket, which another process may have made meanwhile. */
  private RequestStep read() {
    return new RequestStep.Ask<>(
        Operation.GET,
        PlanRequests.read(table, keys.get(at)),
        budget.remainingMs(),
        this::present,
        failure -> failed(SdkErrors.ofRead(failure, table, Operation.GET.name())));
  }

  private RequestStep present(GetItemResponse response) {
    receipt = Receipts.plus(receipt, Receipts.of(response));
    if (response.hasItem()) {
      return done(BucketCodec.decode(keys.get(at), response.item()));
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
