package dev.millrace.dynamodb.internal.call;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.RecordKey;
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
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The first step of every call to a table of today's schema; the same for both kinds of client. */
public final class CallSteps {
  private final CallOptions options;

  /** The steps of calls to {@code table}. */
  public CallSteps(String table, SdkServiceClientConfiguration client) {
    this.options = new CallOptions(table, client);
  }

  CallOptions options() {
    return options;
  }

  /** The first step of {@code call}, whose last one has the reply. */
  public RequestStep first(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Write write) {
      return write(write.plan(), timeoutMs);
    }
    if (call instanceof StoreCall.Read read) {
      return read(read.key(), timeoutMs);
    }
    RetryBudget budget = new RetryBudget(timeoutMs);
    if (call instanceof StoreCall.Lookup lookup) {
      return lookup(lookup, budget);
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      return readAll(readAll, budget);
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return new TransactionSend(options, budget, transaction).send();
    }
    if (call instanceof StoreCall.ListPage page) {
      return PageRead.start(options, budget, page);
    }
    return new BatchErase(options, budget)
        .ask(BatchRequests.erase(options.table(), (StoreCall.Erase) call));
  }

  private RequestStep read(BucketKey key, long timeoutMs) {
    return new RequestStep.Ask<>(
        Operation.GET,
        PlanRequests.read(options.table(), key)
            .overrideConfiguration(options.ofRead(timeoutMs))
            .build(),
        response -> RequestStep.done(found(key, response)),
        failure -> RequestStep.done(readFailed(failure, Operation.GET)));
  }

  private static StoreReply found(BucketKey key, GetItemResponse response) {
    return new StoreReply.Found(
        response.hasItem() ? BucketCodec.decode(key, response.item()) : null,
        Receipts.ofRead(response.consumedCapacity(), response.sdkHttpResponse()));
  }

  private StoreReply readFailed(SdkException failure, Operation<?, ?> operation) {
    return SdkErrors.ofRead(failure, options.table(), operation.name());
  }

  private RequestStep write(WritePlan plan, long timeoutMs) {
    if (plan instanceof WritePlan.Create create) {
      return new RequestStep.Ask<>(
          Operation.PUT,
          PlanRequests.create(options.table(), create)
              .overrideConfiguration(options.ofWrite(timeoutMs))
              .build(),
          response -> RequestStep.done(created(create, response)),
          failure -> RequestStep.done(notWritten(plan, failure, Operation.PUT)));
    }
    return new RequestStep.Ask<>(
        Operation.UPDATE,
        PlanRequests.update(options.table(), plan)
            .overrideConfiguration(options.ofWrite(timeoutMs))
            .build(),
        response -> RequestStep.done(updated(plan, response)),
        failure -> RequestStep.done(notWritten(plan, failure, Operation.UPDATE)));
  }

  /** A put does not answer with the item; it is what was put. */
  private static StoreReply created(WritePlan.Create plan, PutItemResponse response) {
    return new StoreReply.Applied(
        plan.state(), Receipts.ofWrite(response.consumedCapacity(), response.sdkHttpResponse()));
  }

  private static StoreReply updated(WritePlan plan, UpdateItemResponse response) {
    return new StoreReply.Applied(
        BucketCodec.decode(plan.key(), response.attributes()),
        Receipts.ofWrite(response.consumedCapacity(), response.sdkHttpResponse()));
  }

  private StoreReply notWritten(WritePlan plan, SdkException failure, Operation<?, ?> operation) {
    if (failure instanceof ConditionalCheckFailedException refusal) {
      BucketState state = refusal.hasItem() ? BucketCodec.decode(plan.key(), refusal.item()) : null;
      return new StoreReply.Refused(state, Receipts.ofRefusal(refusal));
    }
    return SdkErrors.ofWrite(failure, options.table(), operation.name());
  }

  private RequestStep readAll(StoreCall.ReadAll call, RetryBudget budget) {
    List<ItemAddress> addresses =
        call.keys().stream().map(key -> Attributes.address(BucketCodec.key(key))).toList();
    return new BatchRead(options, budget, Receipt.NONE, CallSteps::foundAll)
        .ask(BatchRequests.read(options.table(), "ReadAll", addresses, /* consistent= */ true));
  }

  private static RequestStep foundAll(List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<BucketKey, BucketState> states = new HashMap<>();
    for (Map<String, AttributeValue> item : items) {
      BucketState state = BucketCodec.decode(item);
      states.put(state.key(), state);
    }
    return RequestStep.done(new StoreReply.FoundAll(states, receipt));
  }

  private RequestStep lookup(StoreCall.Lookup call, RetryBudget budget) {
    List<ItemAddress> addresses = call.keys().stream().map(RecordAddress::of).toList();
    return new BatchRead(options, budget, Receipt.NONE, CallSteps::records)
        .ask(BatchRequests.read(options.table(), "Lookup", addresses, call.consistent()));
  }

  private static RequestStep records(List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<RecordKey, StoredRecord> records = new LinkedHashMap<>();
    for (Map<String, AttributeValue> item : items) {
      StoredRecord record = RecordCodec.decode(item);
      records.put(record.key(), record);
    }
    return RequestStep.done(new StoreReply.Records(records, receipt));
  }
}
