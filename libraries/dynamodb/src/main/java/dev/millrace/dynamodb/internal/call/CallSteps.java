package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.dynamodb.internal.call.RequestStep.Operation;
import dev.millrace.dynamodb.internal.expression.BatchRequests;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.RecordAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** The steps of calls to a table of today's schema. */
public final class CallSteps implements TableSteps {
  private static final RecordKey SCHEMA = new RecordKey.Schema();
  private final String table;
  private final Consumer<Boolean> mayHoldOlder;

  private CallSteps(String table, Consumer<Boolean> mayHoldOlder) {
    if (table.isEmpty()) {
      throw new IllegalArgumentException("table is empty");
    }
    this.table = table;
    this.mayHoldOlder = mayHoldOlder;
  }

  /**
   * The steps of calls to {@code table}: these, until a look-up of its schema record shows that it
   * may hold older buckets, and again once it does not. Limiters and the administration look the
   * record up before they use a table, and limiters again every minute, so it costs no read to
   * know.
   */
  public static Supplier<TableSteps> of(String table) {
    SchemaSwitch steps = new SchemaSwitch(table);
    return () -> steps.current;
  }

  private static final class SchemaSwitch {
    private volatile TableSteps current;

    SchemaSwitch(String table) {
      current = new CallSteps(table, older -> current = current.forSchema(older));
    }
  }

  @Override
  public TableSteps forSchema(boolean older) {
    return older ? new OldTableSteps(table, this) : this;
  }

  @Override
  public RequestStep first(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Write write) {
      return write(write.plan(), timeoutMs);
    }
    if (call instanceof StoreCall.Read read) {
      return read(read.key(), timeoutMs);
    }
    RetryBudget budget = new RetryBudget(timeoutMs);
    if (call instanceof StoreCall.Lookup lookup) {
      List<ItemAddress> addresses = lookup.keys().stream().map(RecordAddress::of).toList();
      return new BatchRead(
              table, budget, Receipt.NONE, (items, spent) -> records(lookup, items, spent))
          .ask(BatchRequests.read(table, "Lookup", addresses, lookup.consistent()));
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      List<ItemAddress> addresses =
          readAll.keys().stream().map(key -> Attributes.address(BucketCodec.key(key))).toList();
      return new BatchRead(table, budget, Receipt.NONE, CallSteps::buckets)
          .ask(BatchRequests.read(table, "ReadAll", addresses, /* consistent= */ true));
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return new TransactionSend(table, budget, transaction).send();
    }
    if (call instanceof StoreCall.ListPage page) {
      return PageRead.start(table, budget, page);
    }
    return new BatchErase(table, budget).ask(BatchRequests.erase(table, (StoreCall.Erase) call));
  }

  private RequestStep read(BucketKey key, long timeoutMs) {
    return new RequestStep.Ask<>(
        Operation.GET,
        PlanRequests.read(table, key),
        timeoutMs,
        response ->
            RequestStep.done(
                new StoreReply.Found(
                    response.hasItem() ? BucketCodec.decode(key, response.item()) : null,
                    Receipts.of(response))),
        failure -> RequestStep.done(SdkErrors.ofRead(failure, table, Operation.GET.name())));
  }

  private RequestStep write(WritePlan plan, long timeoutMs) {
    if (plan instanceof WritePlan.Create create) {
      return new RequestStep.Ask<>(
          Operation.PUT,
          PlanRequests.create(table, create),
          timeoutMs,
          // A put does not answer with the item; it is what was put.
          response ->
              RequestStep.done(new StoreReply.Applied(create.state(), Receipts.of(response))),
          failure -> notWritten(plan, failure, Operation.PUT));
    }
    return new RequestStep.Ask<>(
        Operation.UPDATE,
        PlanRequests.update(table, plan),
        timeoutMs,
        response ->
            RequestStep.done(
                new StoreReply.Applied(
                    BucketCodec.decode(plan.key(), response.attributes()), Receipts.of(response))),
        failure -> notWritten(plan, failure, Operation.UPDATE));
  }

  private RequestStep notWritten(WritePlan plan, SdkException failure, Operation<?, ?> operation) {
    if (failure instanceof ConditionalCheckFailedException refusal) {
      BucketState state = refusal.hasItem() ? BucketCodec.decode(plan.key(), refusal.item()) : null;
      return RequestStep.done(new StoreReply.Refused(state, Receipts.ofRefusal(refusal)));
    }
    return RequestStep.done(SdkErrors.ofWrite(failure, table, operation.name()));
  }

  private static RequestStep buckets(List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<BucketKey, BucketState> states = new HashMap<>();
    for (Map<String, AttributeValue> item : items) {
      BucketState state = BucketCodec.decode(item);
      states.put(state.key(), state);
    }
    return RequestStep.done(new StoreReply.FoundAll(states, receipt));
  }

  private RequestStep records(
      StoreCall.Lookup call, List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<RecordKey, StoredRecord> records = new LinkedHashMap<>();
    for (Map<String, AttributeValue> item : items) {
      StoredRecord record = RecordCodec.decode(item);
      records.put(record.key(), record);
    }
    if (call.keys().contains(SCHEMA)) {
      mayHoldOlder.accept(
          records.get(SCHEMA) instanceof SchemaRecord schema && schema.mayHoldOlder());
    }
    return RequestStep.done(new StoreReply.Records(records, receipt));
  }
}
