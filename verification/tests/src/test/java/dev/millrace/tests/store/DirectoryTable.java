package dev.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.NamespaceRecord;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.dynamodb.client.DynamoStore;
import dev.millrace.tests.support.Dynamo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table in DynamoDB Local with both clients, and what the tests of records say all the time. */
final class DirectoryTable implements AutoCloseable {
  static final long NOW_MS = 1_700_000_000_000L;

  /** More pages than any listing here has. */
  private static final int MAX_PAGES = 2_000;

  private static final long TIMEOUT_MS = 20_000;

  /** Through which client. */
  enum Port {
    BLOCKING,
    ASYNC
  }

  private final DynamoDbClient client = Dynamo.client();
  private final DynamoDbAsyncClient asyncClient = Dynamo.asyncClient(Dynamo.endpoint());
  private final String table = Dynamo.newTable(client);

  DynamoDbClient client() {
    return client;
  }

  String table() {
    return table;
  }

  StoreReply execute(Port port, StoreCall call) {
    return switch (port) {
      case BLOCKING -> DynamoStore.of(client, table).execute(call, TIMEOUT_MS);
      case ASYNC ->
          DynamoStore.of(asyncClient, table)
              .executeAsync(call, TIMEOUT_MS)
              .toCompletableFuture()
              .orTimeout(2 * TIMEOUT_MS, TimeUnit.MILLISECONDS)
              .join();
    };
  }

  StoreReply transact(Port port, List<WritePlan> plans, List<RecordChange> changes) {
    return execute(port, new StoreCall.Transaction(plans, changes, UUID.randomUUID().toString()));
  }

  StoreReply transact(Port port, RecordChange... changes) {
    return transact(port, List.of(), List.of(changes));
  }

  /** Puts records that are not there yet. */
  void create(Port port, StoredRecord... records) {
    List<RecordChange> changes = new ArrayList<>();
    for (StoredRecord record : records) {
      changes.add(new RecordChange.Put(record, RecordChange.Put.ABSENT));
    }
    assertThat(transact(port, List.of(), changes)).isInstanceOf(StoreReply.Committed.class);
  }

  void createBuckets(Port port, BucketKey... keys) {
    for (BucketKey key : keys) {
      assertThat(execute(port, new StoreCall.Write(new WritePlan.Create(bucket(key)))))
          .isInstanceOf(StoreReply.Applied.class);
    }
  }

  @Nullable StoredRecord find(Port port, RecordKey key) {
    StoreReply reply = execute(port, new StoreCall.Lookup(List.of(key), true));
    assertThat(reply).isInstanceOf(StoreReply.Records.class);
    return ((StoreReply.Records) reply).records().get(key);
  }

  @Nullable BucketState read(Port port, BucketKey key) {
    StoreReply reply = execute(port, new StoreCall.Read(key));
    assertThat(reply).isInstanceOf(StoreReply.Found.class);
    return ((StoreReply.Found) reply).state();
  }

  StoreReply.Page page(Port port, Listing listing, int pageSize, @Nullable String cursor) {
    StoreReply reply = execute(port, new StoreCall.ListPage(listing, pageSize, cursor));
    assertThat(reply).as("%s", listing).isInstanceOf(StoreReply.Page.class);
    return (StoreReply.Page) reply;
  }

  /** Every page of a listing, none of which is larger than it may be. */
  List<ListEntry> list(Port port, Listing listing, int pageSize) {
    List<ListEntry> entries = new ArrayList<>();
    String cursor = null;
    for (int pages = 0; pages < MAX_PAGES; pages++) {
      StoreReply.Page page = page(port, listing, pageSize, cursor);
      assertThat(page.entries()).hasSizeLessThanOrEqualTo(pageSize);
      entries.addAll(page.entries());
      cursor = page.cursor();
      if (cursor == null) {
        return entries;
      }
    }
    throw new AssertionError(listing + " did not end after " + MAX_PAGES + " pages");
  }

  static String newNamespace() {
    return "n" + UUID.randomUUID().toString().substring(0, 8);
  }

  static EntityRecord entity(String namespace, String id, @Nullable String parentId) {
    return entity(namespace, id, parentId, 1, 0);
  }

  static EntityRecord entity(
      String namespace, String id, @Nullable String parentId, long version, long children) {
    return new EntityRecord(
        new RecordKey.Entity(namespace, id),
        version,
        "name of " + id,
        parentId,
        parentId == null ? List.of() : List.of(parentId),
        /* cascade= */ true,
        /* disabled= */ false,
        parentId == null ? Map.of() : Map.of("plan", "gold"),
        NOW_MS,
        children);
  }

  static ConfigRecord config(RecordKey.Config key, long version, String... limitNames) {
    List<Limit> limits = new ArrayList<>();
    for (String name : limitNames) {
      limits.add(Limit.perMinute(name, 10).withBurst(25));
    }
    return new ConfigRecord(
        key, version, limits.isEmpty() ? null : LimitSet.of(limits), null, false, null, null);
  }

  static AuditEvent audit(String namespace, String subject, String id) {
    return new AuditEvent(
        new RecordKey.Audit(namespace, subject, id),
        NOW_MS,
        "ops",
        "limits.set",
        Map.of(),
        Map.of("limits", "rpm"),
        NOW_MS / 1_000);
  }

  static JobRecord job(String namespace, String id) {
    return new JobRecord(
        new RecordKey.Job(namespace, id),
        1,
        "fan-out",
        Map.of("resource", "gpt-4"),
        null,
        0,
        0,
        /* done= */ false,
        NOW_MS,
        NOW_MS,
        NOW_MS / 1_000);
  }

  static NamespaceRecord namespace(RecordKey key, String name, String id) {
    return new NamespaceRecord(key, 1, name, id, NamespaceRecord.State.ACTIVE, NOW_MS);
  }

  static BucketState bucket(BucketKey key) {
    return bucket(key, ConfigStamp.CALL);
  }

  static BucketState bucket(BucketKey key, ConfigStamp stamp) {
    int level = key.shard() == 0 ? 1 : 2 * Integer.highestOneBit(key.shard());
    return new BucketState(
        key,
        NOW_MS,
        List.of(LimitState.full(Limit.perMinute("rpm", 10))),
        Division.of(level, level),
        WriteUnits.DYNAMODB.fullMilli(),
        BucketState.NEVER,
        "op-0",
        stamp);
  }

  @Override
  public void close() {
    client.close();
    asyncClient.close();
  }
}
