package dev.millrace.dynamodb.client;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.directory.ItemAddress;
import dev.millrace.core.directory.RecordKey;
import dev.millrace.core.directory.StoredRecord;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import dev.millrace.dynamodb.expression.BatchRequests;
import dev.millrace.dynamodb.item.BucketCodec;
import dev.millrace.dynamodb.item.RecordCodec;
import dev.millrace.dynamodb.schema.Attributes;
import dev.millrace.dynamodb.schema.RecordAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** How each call begins. The same for both kinds of client. */
final class Calls {
  private final CallRequests requests;
  private final Replies replies;

  Calls(String table, SdkServiceClientConfiguration client) {
    this.requests = new CallRequests(table, client);
    this.replies = new Replies(table);
  }

  /** The first turn of {@code call}, whose last one has the reply. */
  Turn begin(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Write write) {
      return write(write.plan(), timeoutMs);
    }
    if (call instanceof StoreCall.Read read) {
      return read(read.key(), timeoutMs);
    }
    Patience patience = new Patience(timeoutMs);
    if (call instanceof StoreCall.Lookup lookup) {
      return lookup(lookup, patience);
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      return readAll(readAll, patience);
    }
    if (call instanceof StoreCall.Transaction transaction) {
      return new TransactionSend(requests, patience, transaction).send();
    }
    if (call instanceof StoreCall.ListPage page) {
      return PageRead.start(requests, patience, page);
    }
    return new BatchErase(requests, patience)
        .ask(BatchRequests.erase(requests.table(), (StoreCall.Erase) call));
  }

  private Turn read(BucketKey key, long timeoutMs) {
    return new Turn.Ask<>(
        Operation.GET,
        requests.read(key, timeoutMs),
        response -> Turn.done(replies.found(key, response)),
        failure -> Turn.done(replies.notFound(failure)));
  }

  private Turn write(WritePlan plan, long timeoutMs) {
    if (plan instanceof WritePlan.Create create) {
      return new Turn.Ask<>(
          Operation.PUT,
          requests.create(create, timeoutMs),
          response -> Turn.done(replies.created(create, response)),
          failure -> Turn.done(replies.notWritten(plan, failure)));
    }
    return new Turn.Ask<>(
        Operation.UPDATE,
        requests.update(plan, timeoutMs),
        response -> Turn.done(replies.updated(plan, response)),
        failure -> Turn.done(replies.notWritten(plan, failure)));
  }

  private Turn readAll(StoreCall.ReadAll call, Patience patience) {
    List<ItemAddress> addresses =
        call.keys().stream().map(key -> Attributes.address(BucketCodec.key(key))).toList();
    return new BatchRead(requests, patience, Receipt.NONE, Calls::foundAll)
        .ask(BatchRequests.read(requests.table(), "ReadAll", addresses, /* consistent= */ true));
  }

  private static Turn foundAll(List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<BucketKey, BucketState> states = new HashMap<>();
    for (Map<String, AttributeValue> item : items) {
      BucketState state = BucketCodec.decode(item);
      states.put(state.key(), state);
    }
    return Turn.done(new StoreReply.FoundAll(states, receipt));
  }

  private Turn lookup(StoreCall.Lookup call, Patience patience) {
    List<ItemAddress> addresses = call.keys().stream().map(RecordAddress::of).toList();
    return new BatchRead(requests, patience, Receipt.NONE, Calls::records)
        .ask(BatchRequests.read(requests.table(), "Lookup", addresses, call.consistent()));
  }

  private static Turn records(List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<RecordKey, StoredRecord> records = new LinkedHashMap<>();
    for (Map<String, AttributeValue> item : items) {
      StoredRecord record = RecordCodec.decode(item);
      records.put(record.key(), record);
    }
    return Turn.done(new StoreReply.Records(records, receipt));
  }
}
