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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * How each call begins. The same for both kinds of client.
 *
 * <p>While the table may hold buckets of an older schema, no bucket is made before it was looked
 * for there: a call that finds none, or would make one, carries it over first. The caller sees a
 * bucket that was there all the time, or that somebody else made just before.
 */
final class Calls {
  private final CallRequests requests;
  private final Replies replies;
  private final TableAge age;

  Calls(String table, SdkServiceClientConfiguration client, TableAge age) {
    this.requests = new CallRequests(table, client);
    this.replies = new Replies(table);
    this.age = age;
  }

  /** The first turn of {@code call}, whose last one has the reply. */
  Turn begin(StoreCall call, long timeoutMs) {
    if (call instanceof StoreCall.Write write) {
      return age.mayHoldOlder() && isNewBucket(write.plan())
          ? carryAndWrite(write.plan(), new Patience(timeoutMs))
          : write(write.plan(), timeoutMs);
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
      return transaction(transaction, patience);
    }
    if (call instanceof StoreCall.ListPage page) {
      return PageRead.start(requests, patience, page);
    }
    return new BatchErase(requests, patience)
        .ask(BatchRequests.erase(requests.table(), (StoreCall.Erase) call));
  }

  private Turn read(BucketKey key, long timeoutMs) {
    Patience patience = new Patience(timeoutMs);
    return new Turn.Ask<>(
        Operation.GET,
        requests.read(key, timeoutMs),
        response -> found(key, replies.found(key, response), patience),
        failure -> Turn.done(replies.notFound(failure)));
  }

  private Turn found(BucketKey key, StoreReply.Found reply, Patience patience) {
    if (reply.state() != null || !age.mayHoldOlder() || key.shard() != 0) {
      return Turn.done(reply);
    }
    return new CarrySend(
            requests,
            patience,
            reply.receipt(),
            List.of(key),
            (found, spent) -> Turn.done(new StoreReply.Found(found.get(key), spent)))
        .next();
  }

  private static boolean isNewBucket(WritePlan plan) {
    return plan instanceof WritePlan.Create && plan.key().shard() == 0;
  }

  /** To the caller it is as if somebody had made the bucket just before. */
  private Turn carryAndWrite(WritePlan plan, Patience patience) {
    return new CarrySend(
            requests,
            patience,
            Receipt.NONE,
            List.of(plan.key()),
            (found, spent) ->
                found.isEmpty()
                    ? write(plan, patience.remainingMs())
                    : Turn.done(new StoreReply.Refused(found.get(plan.key()), spent)))
        .next();
  }

  private Turn transaction(StoreCall.Transaction call, Patience patience) {
    TransactionSend send = new TransactionSend(requests, patience, call);
    List<BucketKey> made =
        age.mayHoldOlder()
            ? call.plans().stream().filter(Calls::isNewBucket).map(WritePlan::key).toList()
            : List.of();
    if (made.isEmpty()) {
      return send.send();
    }
    return new CarrySend(
            requests,
            patience,
            Receipt.NONE,
            made,
            (found, spent) ->
                found.isEmpty() ? send.send() : Turn.done(refused(call, found, spent)))
        .next();
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
    return new BatchRead(
            requests,
            patience,
            Receipt.NONE,
            (items, receipt) -> foundAll(call, patience, items, receipt))
        .ask(BatchRequests.read(requests.table(), "ReadAll", addresses, /* consistent= */ true));
  }

  private Turn foundAll(
      StoreCall.ReadAll call,
      Patience patience,
      List<Map<String, AttributeValue>> items,
      Receipt receipt) {
    Map<BucketKey, BucketState> states = new HashMap<>();
    for (Map<String, AttributeValue> item : items) {
      BucketState state = BucketCodec.decode(item);
      states.put(state.key(), state);
    }
    if (!age.mayHoldOlder()) {
      return Turn.done(new StoreReply.FoundAll(states, receipt));
    }
    List<BucketKey> missing =
        call.keys().stream().filter(k -> k.shard() == 0 && !states.containsKey(k)).toList();
    return new CarrySend(
            requests,
            patience,
            receipt,
            missing,
            (found, spent) -> {
              states.putAll(found);
              return Turn.done(new StoreReply.FoundAll(states, spent));
            })
        .next();
  }

  private Turn lookup(StoreCall.Lookup call, Patience patience) {
    List<ItemAddress> addresses = call.keys().stream().map(RecordAddress::of).toList();
    return new BatchRead(
            requests, patience, Receipt.NONE, (items, receipt) -> records(call, items, receipt))
        .ask(BatchRequests.read(requests.table(), "Lookup", addresses, call.consistent()));
  }

  private Turn records(
      StoreCall.Lookup call, List<Map<String, AttributeValue>> items, Receipt receipt) {
    Map<RecordKey, StoredRecord> records = new LinkedHashMap<>();
    for (Map<String, AttributeValue> item : items) {
      StoredRecord record = RecordCodec.decode(item);
      records.put(record.key(), record);
    }
    age.learn(call, records);
    return Turn.done(new StoreReply.Records(records, receipt));
  }
}
