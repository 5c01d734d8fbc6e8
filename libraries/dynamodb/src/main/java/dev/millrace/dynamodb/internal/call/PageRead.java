package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import dev.millrace.dynamodb.internal.query.ListingEntries;
import dev.millrace.dynamodb.internal.query.ListingPlan;
import dev.millrace.dynamodb.internal.query.ListingPlans;
import dev.millrace.dynamodb.internal.query.ListingRequests;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/** Reads a page of a listing and, when an index has the keys only, the records themselves. */
final class PageRead {
  private final CallOptions options;
  private final RetryBudget budget;
  private final ListingPlan plan;

  private PageRead(CallOptions options, RetryBudget budget, ListingPlan plan) {
    this.options = options;
    this.budget = budget;
    this.plan = plan;
  }

  static RequestStep start(CallOptions options, RetryBudget budget, StoreCall.ListPage call) {
    ListingPlan plan = ListingPlans.of(call.listing());
    return new PageRead(options, budget, plan).ask(call);
  }

  private RequestStep ask(StoreCall.ListPage call) {
    if (plan instanceof ListingPlan.Query query) {
      return query.isEmpty()
          ? RequestStep.done(new StoreReply.Page(List.of(), null, Receipt.NONE))
          : new RequestStep.Ask<>(
              Operation.QUERY,
              ListingRequests.query(options.table(), query, call.pageSize(), call.cursor())
                  .overrideConfiguration(options.ofRead(budget.remainingMs()))
                  .build(),
              response ->
                  read(
                      response.items(),
                      response.lastEvaluatedKey(),
                      receipt(response.consumedCapacity(), response.sdkHttpResponse())),
              failure ->
                  RequestStep.done(
                      SdkErrors.ofRead(failure, options.table(), Operation.QUERY.name())));
    }
    return new RequestStep.Ask<>(
        Operation.SCAN,
        ListingRequests.scan(
                options.table(), (ListingPlan.Scan) plan, call.pageSize(), call.cursor())
            .overrideConfiguration(options.ofRead(budget.remainingMs()))
            .build(),
        response ->
            read(
                response.items(),
                response.lastEvaluatedKey(),
                receipt(response.consumedCapacity(), response.sdkHttpResponse())),
        failure ->
            RequestStep.done(SdkErrors.ofRead(failure, options.table(), Operation.SCAN.name())));
  }

  private RequestStep read(
      List<Map<String, AttributeValue>> items,
      Map<String, AttributeValue> lastKey,
      Receipt receipt) {
    String cursor = ListingEntries.cursor(plan, lastKey);
    if (plan.shape() != ListingPlan.Shape.INDEXED_RECORDS) {
      return RequestStep.done(new StoreReply.Page(ListingEntries.of(plan, items), cursor, receipt));
    }
    List<ItemAddress> addresses = ListingEntries.addresses(plan, items);
    if (addresses.isEmpty()) {
      return RequestStep.done(new StoreReply.Page(List.of(), cursor, receipt));
    }
    BatchRead records =
        new BatchRead(
            options,
            budget,
            receipt,
            (found, spent) ->
                RequestStep.done(
                    new StoreReply.Page(ListingEntries.of(addresses, found), cursor, spent)));
    // Consistent: the index has seen them, and one that is left out here would never be listed.
    return records.ask(
        BatchRequests.read(options.table(), "ListPage", addresses, /* consistent= */ true));
  }

  private static Receipt receipt(@Nullable ConsumedCapacity capacity, SdkHttpResponse response) {
    return Receipts.ofReads(capacity == null ? List.of() : List.of(capacity), response);
  }
}
