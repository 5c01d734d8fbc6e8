package dev.millrace.testkit.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.testkit.internal.generator.ShardGen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The records and buckets of one test of the contract, in a namespace that nobody else has, and
 * what is asserted of every transaction and listing.
 */
public final class ContractRecords {
  public static final LimitSet LIMITS =
      LimitSet.of(Limit.perMinute("rpm", 100), Limit.perDay("tpd", 5).withBurst(50).asSoft());

  private static final long CREATED_AT_MS = 1_700_000_000_123L;

  /** Most pages of one listing, other tests' items included. */
  private static final int MAX_PAGES = 100_000;

  private final StoreUnderTest store;
  private final StorePort driver;
  private final String namespace = "c-" + UUID.randomUUID();

  public ContractRecords(StoreUnderTest store, StorePort driver) {
    this.store = store;
    this.driver = driver;
  }

  public String namespace() {
    return namespace;
  }

  public RecordKey.Entity entity(String entityId) {
    return new RecordKey.Entity(namespace, entityId);
  }

  public EntityRecord entity(
      String entityId, long version, @Nullable String parentId, long children) {
    return new EntityRecord(
        entity(entityId),
        version,
        "",
        parentId,
        List.of(),
        /* cascade= */ false,
        /* disabled= */ false,
        Map.of(),
        CREATED_AT_MS,
        children);
  }

  /** A config of the entity, for a resource or, where that is empty, for whatever resource. */
  public ConfigRecord config(
      String entityId, String resource, long version, @Nullable LimitSet limits) {
    RecordKey.Config key =
        resource.isEmpty()
            ? RecordKey.Config.ofEntity(namespace, entityId)
            : RecordKey.Config.ofEntityResource(namespace, entityId, resource);
    return new ConfigRecord(key, version, limits, null, false, null, null);
  }

  public BucketKey bucket(String entityId, String resource, int shard) {
    return new BucketKey(namespace, entityId, resource, shard);
  }

  /** A full bucket of {@link #LIMITS}. */
  public BucketState full(String entityId) {
    return full(bucket(entityId, "gpt-4", 0));
  }

  /** A full shard of {@link #LIMITS} that has just been split off, or the whole bucket. */
  public static BucketState full(BucketKey key) {
    int level = ShardGen.leastLevel(key.shard());
    ShardShare share = ShardShare.of(key.shard(), level);
    return new BucketState(
        key,
        CREATED_AT_MS,
        LIMITS.asList().stream().map(limit -> LimitState.full(limit, share)).toList(),
        Division.of(level, level),
        WriteUnits.DYNAMODB.fullMilli(),
        BucketState.NEVER,
        /* op= */ "",
        ConfigStamp.CALL);
  }

  public static RecordChange putNew(StoredRecord record) {
    return new RecordChange.Put(record, RecordChange.Put.ABSENT);
  }

  public static RecordChange putNext(StoredRecord record) {
    return new RecordChange.Put(record, record.version() - 1);
  }

  public static String newToken() {
    return UUID.randomUUID().toString();
  }

  public static StoreCall.Transaction transaction(RecordChange... changes) {
    return new StoreCall.Transaction(List.of(), List.of(changes), newToken());
  }

  public StoreReply execute(StoreCall call) {
    return driver.execute(store, call);
  }

  /** Makes the changes. */
  public void given(RecordChange... changes) {
    assertCommitted(transaction(changes));
  }

  /** Makes the records, which must be new. */
  public void given(StoredRecord... records) {
    given(Arrays.stream(records).map(ContractRecords::putNew).toArray(RecordChange[]::new));
  }

  /** Makes the buckets, full. */
  public void given(BucketKey... keys) {
    for (BucketKey key : keys) {
      WritePlan create = new WritePlan.Create(full(key));
      assertThat(execute(new StoreCall.Write(create))).isInstanceOf(StoreReply.Applied.class);
    }
  }

  public @Nullable StoredRecord lookup(RecordKey key) {
    return lookup(List.of(key)).get(key);
  }

  public Map<RecordKey, StoredRecord> lookup(List<? extends RecordKey> keys) {
    StoreReply reply = execute(new StoreCall.Lookup(List.copyOf(keys), /* consistent= */ true));
    assertThat(reply).isInstanceOf(StoreReply.Records.class);
    return ((StoreReply.Records) reply).records();
  }

  public @Nullable BucketState read(BucketKey key) {
    StoreReply reply = execute(new StoreCall.Read(key));
    assertThat(reply).isInstanceOf(StoreReply.Found.class);
    return ((StoreReply.Found) reply).state();
  }

  public void assertCommitted(StoreCall.Transaction transaction) {
    assertThat(execute(transaction))
        .as("answer to %s", transaction)
        .isInstanceOf(StoreReply.Committed.class);
  }

  /** The change is made and leaves the record as {@code expected}. */
  public void assertLeaves(RecordChange change, @Nullable StoredRecord expected) {
    assertCommitted(transaction(change));
    assertThat(lookup(change.key())).as("record after %s", change).isEqualTo(expected);
  }

  /** The only change of a transaction is refused with the record as it is, which stays so. */
  public void assertRefused(RecordChange change) {
    StoredRecord before = lookup(change.key());
    assertCancelled(transaction(change), new Cause(true, null, before));
    assertThat(lookup(change.key())).as("record after %s", change).isEqualTo(before);
  }

  /** The transaction is cancelled for exactly these causes. */
  public void assertCancelled(StoreCall.Transaction transaction, Cause... causes) {
    assertThat(execute(transaction))
        .as("answer to %s", transaction)
        .isInstanceOfSatisfying(
            StoreReply.Cancelled.class,
            cancelled -> assertThat(cancelled.causes()).containsExactly(causes));
  }

  public void assertMistake(StoreCall call) {
    assertThatThrownBy(() -> execute(call))
        .as("%s", call)
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** All entries of a listing, in their order. No page is larger than asked for. */
  public List<ListEntry> list(Listing listing, int pageSize) {
    List<ListEntry> entries = new ArrayList<>();
    String cursor = null;
    for (int i = 0; i < MAX_PAGES; i++) {
      StoreReply.Page page = page(listing, pageSize, cursor);
      entries.addAll(page.entries());
      cursor = page.cursor();
      if (cursor == null) {
        return entries;
      }
    }
    throw new AssertionError(listing + " did not end within " + MAX_PAGES + " pages");
  }

  public StoreReply.Page page(Listing listing, int pageSize, @Nullable String cursor) {
    StoreReply reply = execute(new StoreCall.ListPage(listing, pageSize, cursor));
    assertThat(reply).as("answer to %s", listing).isInstanceOf(StoreReply.Page.class);
    StoreReply.Page page = (StoreReply.Page) reply;
    assertThat(page.entries()).as("page of %s", listing).hasSizeLessThanOrEqualTo(pageSize);
    return page;
  }

  /** The listing has exactly these entries, in an order that the size of a page does not change. */
  public void assertListed(Listing listing, List<? extends ListEntry> expected) {
    List<ListEntry> listed = listOnce(listing, 1_000, List.copyOf(expected));
    for (int pageSize = 1; pageSize <= 3; pageSize++) {
      assertThat(list(listing, pageSize))
          .as("%s, page size %d", listing, pageSize)
          .isEqualTo(listed);
    }
  }

  /** The listing has exactly these entries; looked at with pages of one size. */
  public void assertListed(Listing listing, int pageSize, List<? extends ListEntry> expected) {
    listOnce(listing, pageSize, List.copyOf(expected));
  }

  /** The listing has exactly these entries, in this order. */
  public void assertListedInOrder(Listing listing, StoredRecord... records) {
    List<ListEntry> expected = new ArrayList<>();
    Arrays.stream(records).map(ListEntry.Stored::new).forEach(expected::add);
    assertListed(listing, expected);
    assertThat(list(listing, 1_000)).as("%s", listing).isEqualTo(expected);
  }

  private List<ListEntry> listOnce(Listing listing, int pageSize, List<ListEntry> expected) {
    List<ListEntry> listed;
    int looks = 0;
    do {
      store.awaitIndexes();
      listed = list(listing, pageSize);
      looks++;
    } while (looks < StoreUnderTest.MAX_LOOKS && !sameInAnyOrder(listed, expected));
    assertThat(listed).as("%s", listing).containsExactlyInAnyOrderElementsOf(expected);
    return listed;
  }

  private static boolean sameInAnyOrder(List<ListEntry> listed, List<ListEntry> expected) {
    return listed.size() == expected.size() && Set.copyOf(listed).equals(Set.copyOf(expected));
  }

  /** The same of entities, by their ids. */
  public void assertListed(Listing listing, String... entityIds) {
    assertListed(listing, Arrays.stream(entityIds).map(ListEntry.Entity::new).toList());
  }

  /** The same of records. */
  public void assertListed(Listing listing, StoredRecord... records) {
    assertListed(listing, Arrays.stream(records).map(ListEntry.Stored::new).toList());
  }

  /** The same of buckets. */
  public void assertListed(Listing listing, BucketKey... keys) {
    assertListed(listing, Arrays.stream(keys).map(ListEntry.Bucket::new).toList());
  }

  /** What is not read consistently says {@code expected} soon enough. */
  public <T> void assertSame(String what, Supplier<T> look, T expected) {
    T seen = null;
    for (int i = 0; i < StoreUnderTest.MAX_LOOKS; i++) {
      store.awaitIndexes();
      seen = look.get();
      if (seen.equals(expected)) {
        return;
      }
    }
    assertThat(seen).as(what).isEqualTo(expected);
  }
}
