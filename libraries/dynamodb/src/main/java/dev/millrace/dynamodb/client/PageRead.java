package dev.millrace.dynamodb.client;

import dev.millrace.core.directory.ItemAddress;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import dev.millrace.core.store.StoreReply.Receipt;
import dev.millrace.dynamodb.expression.BatchRequests;
import dev.millrace.dynamodb.query.ListingEntries;
import dev.millrace.dynamodb.query.ListingPlan;
import dev.millrace.dynamodb.query.ListingPlans;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;

/** Reads a page of a listing and, when an index has the keys only, the records themselves. */
final class PageRead {
  private final CallRequests requests;
  private final RetryBudget budget;
  private final ListingPlan plan;

  private PageRead(CallRequests requests, RetryBudget budget, ListingPlan plan) {
    this.requests = requests;
    this.budget = budget;
    this.plan = plan;
  }

  static RequestStep start(CallRequests requests, RetryBudget budget, StoreCall.ListPage call) {
    ListingPlan plan = ListingPlans.of(call.listing());
    return new PageRead(requests, budget, plan).ask(call);
  }

  private RequestStep ask(StoreCall.ListPage call) {
    if (plan instanceof ListingPlan.Query query) {
      return query.isEmpty()
          ? RequestStep.done(new StoreReply.Page(List.of(), null, Receipt.NONE))
          : new RequestStep.Ask<>(
              Operation.QUERY,
              requests.query(query, call, budget.remainingMs()),
              response ->
                  read(
                      response.items(),
                      response.lastEvaluatedKey(),
                      receipt(response.consumedCapacity(), response.sdkHttpResponse())),
              failure ->
                  RequestStep.done(
                      SdkErrors.ofRead(failure, requests.table(), Operation.QUERY.name())));
    }
    return new RequestStep.Ask<>(
        Operation.SCAN,
        requests.scan((ListingPlan.Scan) plan, call, budget.remainingMs()),
        response ->
            read(
                response.items(),
                response.lastEvaluatedKey(),
                receipt(response.consumedCapacity(), response.sdkHttpResponse())),
        failure ->
            RequestStep.done(SdkErrors.ofRead(failure, requests.table(), Operation.SCAN.name())));
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
            requests,
            budget,
            receipt,
            (found, spent) ->
                RequestStep.done(
                    new StoreReply.Page(ListingEntries.of(addresses, found), cursor, spent)));
    // Consistent: the index has seen them, and one that is left out here would never be listed.
    return records.ask(
        BatchRequests.read(requests.table(), "ListPage", addresses, /* consistent= */ true));
  }

  private static Receipt receipt(@Nullable ConsumedCapacity capacity, SdkHttpResponse response) {
    return Receipts.ofReads(capacity == null ? List.of() : List.of(capacity), response);
  }
}
