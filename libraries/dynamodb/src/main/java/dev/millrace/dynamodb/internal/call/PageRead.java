package dev.millrace.dynamodb.internal.call;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import dev.millrace.dynamodb.internal.query.Cursor;
import dev.millrace.dynamodb.internal.query.ListingEntries;
import dev.millrace.dynamodb.internal.query.ListingPlan;
import dev.millrace.dynamodb.internal.query.ListingRequests;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads a page of a listing and, when an index has the keys only, the records themselves. */
final class PageRead {
  private final String table;
  private final RetryBudget budget;
  private final ListingPlan plan;

  private PageRead(String table, RetryBudget budget, ListingPlan plan) {
    this.table = table;
    this.budget = budget;
    this.plan = plan;
  }

  static RequestStep start(String table, RetryBudget budget, StoreCall.ListPage call) {
    ListingPlan plan = ListingPlan.of(call.listing());
    PageRead page = new PageRead(table, budget, plan);
    if (plan instanceof ListingPlan.Query query) {
      return query.isEmpty()
          ? RequestStep.done(new StoreReply.Page(List.of(), null, Receipt.NONE))
          : new RequestStep.Ask<>(
              Operation.QUERY,
              ListingRequests.query(table, query, call.pageSize(), call.cursor()),
              budget.remainingMs(),
              answer -> page.read(answer.items(), answer.lastEvaluatedKey(), Receipts.of(answer)),
              failure ->
                  RequestStep.done(SdkErrors.ofRead(failure, table, Operation.QUERY.name())));
    }
    return new RequestStep.Ask<>(
        Operation.SCAN,
        ListingRequests.scan(table, (ListingPlan.Scan) plan, call.pageSize(), call.cursor()),
        budget.remainingMs(),
        answer -> page.read(answer.items(), answer.lastEvaluatedKey(), Receipts.of(answer)),
        failure -> RequestStep.done(SdkErrors.ofRead(failure, table, Operation.SCAN.name())));
  }

  private RequestStep read(
      List<Map<String, AttributeValue>> items,
      Map<String, AttributeValue> lastKey,
      Receipt receipt) {
    String cursor = Cursor.after(plan, lastKey);
    if (plan.shape() != ListingPlan.Shape.INDEXED_RECORDS) {
      return RequestStep.done(new StoreReply.Page(ListingEntries.of(plan, items), cursor, receipt));
    }
    List<ItemAddress> addresses = ListingEntries.addresses(plan, items);
    if (addresses.isEmpty()) {
      return RequestStep.done(new StoreReply.Page(List.of(), cursor, receipt));
    }
    BatchRead records =
        new BatchRead(
            table,
            budget,
            receipt,
            (found, spent) ->
                RequestStep.done(
                    new StoreReply.Page(ListingEntries.of(addresses, found), cursor, spent)));
    // Consistent: the index has seen them, and one that is left out here would never be listed.
    return records.ask(BatchRequests.read(table, "ListPage", addresses, /* consistent= */ true));
  }
}
