package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.JobRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.testkit.internal.memory.RecentTokens;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What only the store in memory does with records; the rest is the contract's. */
class InMemoryRecordsTest {
  private static final BucketKey BUCKET = BucketKey.first("test", "key-42", "gpt-4");
  private static final LimitSet LIMITS = LimitSet.of(Limit.perMinute("rpm", 100));
  private static final RecordKey.Entity ENTITY = new RecordKey.Entity("test", "key-42");
  private static final RecordKey.Config SYSTEM = RecordKey.Config.ofSystem("test");

  private final InMemoryStore store = new InMemoryStore();

  private static EntityRecord entity(long version, @Nullable String parentId, long children) {
    return new EntityRecord(
        ENTITY, version, "a key", parentId, List.of(), true, false, Map.of(), 1_000, children);
  }

  private static RecordChange put(StoredRecord record, long expectedVersion) {
    return new RecordChange.Put(record, expectedVersion);
  }

  private static StoreCall.Transaction transaction(String token, RecordChange... changes) {
    return new StoreCall.Transaction(List.of(), List.of(changes), token);
  }

  private StoreReply execute(StoreCall call) {
    return store.execute(call, 1_000);
  }

  private void assertMistake(StoreCall call, String message) {
    assertThatThrownBy(() -> execute(call))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void put_setUp_storesExactlyThat() {
    store.put(entity(7, null, 3));
    assertThat(store.record(ENTITY)).isEqualTo(entity(7, null, 3));
    assertThat(store.records()).isEqualTo(1);
    assertThat(store.items())
        .containsExactly(new ListEntry.Item("test", new ItemAddress("test/entity key-42", "meta")));
    assertThat(store.remove(ENTITY)).isTrue();
    assertThat(store.remove(ENTITY)).isFalse();
    assertThat(store.records()).isZero();
    assertThat(store.items()).isEmpty();
  }

  @Test
  void put_movedEntity_leavesItsOldIndex() {
    store.put(entity(1, null, 0));
    store.put(entity(2, "team", 0));
    assertThat(page(new Listing.Roots("test"), 10).entries()).isEmpty();
    assertThat(page(new Listing.Children("test", "team"), 10).entries())
        .containsExactly(new ListEntry.Entity("key-42"));
  }

  @Test
  void receipt_eachCall_isWhatIsDocumented() {
    StoreCall.Transaction put = transaction("t", put(entity(1, null, 0), 0));
    assertUnits(put, 0, 2);
    assertUnits(put, 2, 0);
    assertUnits(transaction("u", put(entity(1, null, 0), 0), put(new SchemaRecord(3), 0)), 0, 4);
    List<RecordKey> keys = List.of(ENTITY, SYSTEM, new RecordKey.Schema());
    assertUnits(new StoreCall.Lookup(keys, /* consistent= */ true), 3, 0);
    assertUnits(new StoreCall.Lookup(keys, /* consistent= */ false), 1.5, 0);
    assertUnits(new StoreCall.ReadAll(List.of(BUCKET)), 1, 0);
    assertUnits(new StoreCall.ListPage(new Listing.AllItems(), 5, null), 0.5, 0);
    ItemAddress nothing = new ItemAddress("no", "where");
    assertUnits(new StoreCall.Erase(List.of(BUCKET), List.of(nothing)), 0, 2);
  }

  private void assertUnits(StoreCall call, double readUnits, double writeUnits) {
    assertThat(execute(call).receipt())
        .as("%s", call)
        .isEqualTo(new Receipt(readUnits, writeUnits, 0, Receipt.NO_TIME));
  }

  @Test
  void transaction_tokenForgotten_isMadeAgain() {
    StoreCall.Transaction first = transaction("first", put(new SchemaRecord(1), 0));
    execute(first);
    for (int i = 0; i < RecentTokens.MAX_TOKENS - 1; i++) {
      execute(transaction("t" + i, new RecordChange.Check(new RecordKey.Schema(), 1)));
    }
    assertThat(execute(first)).isInstanceOf(StoreReply.Committed.class);
    execute(transaction("last", new RecordChange.Check(new RecordKey.Schema(), 1)));
    assertThat(execute(first)).isInstanceOf(StoreReply.Cancelled.class);
  }

  @Test
  void transaction_versionThatDoesNotGrow_isAMistake() {
    assertMistake(
        transaction("t", put(ConfigRecord.empty(SYSTEM), 0)),
        "version 0 must be greater than the expected one in Put[record=ConfigRecord[key=Config");
    assertMistake(transaction("t", put(entity(4, null, 0), 4)), "version 4 must be greater");
    assertThat(store.items()).isEmpty();
  }

  @Test
  void transaction_fieldWithoutAName_isAMistake() {
    Map<String, String> nameless = Map.of("", "x");
    RecordKey.Audit audit = new RecordKey.Audit("test", "s", "1");
    RecordKey.Job job = new RecordKey.Job("test", "1");
    for (StoredRecord record :
        List.of(
            new EntityRecord(ENTITY, 1, "", null, List.of(), true, false, nameless, 1, 0),
            new AuditEvent(audit, 1, "", "", nameless, Map.of(), 0),
            new AuditEvent(audit, 1, "", "", Map.of(), nameless, 0),
            new JobRecord(job, 1, "k", nameless, null, 0, 0, false, 1, 1, 0))) {
      assertMistake(transaction("t", put(record, 0)), "a field without a name in ");
    }
    assertThat(store.items()).isEmpty();
  }

  @Test
  void transaction_namedTwice_isAMistake() {
    assertMistake(
        transaction("t", put(entity(1, null, 0), 0), new RecordChange.AddChildren(ENTITY, 1)),
        "Transaction names Entity[namespace=test, entityId=key-42] twice");
    WritePlan create = new WritePlan.Create(BucketState.full(BUCKET, LIMITS, 1));
    assertMistake(
        new StoreCall.Transaction(List.of(create, create), List.of(), "t"),
        "Transaction names test/key-42/gpt-4#0 twice");
    assertThat(store.items()).isEmpty();
  }

  @Test
  void calls_tooManyOrNone_areMistakes() {
    assertMistake(new StoreCall.ReadAll(List.of()), "ReadAll of 0 must have from 1 to 100 keys");
    assertMistake(new StoreCall.Lookup(List.of(), true), "Lookup of 0 must have");
    assertMistake(new StoreCall.Erase(List.of(), List.of()), "Erase of 0 must have from 1 to 25");
    assertMistake(new StoreCall.ReadAll(buckets(101)), "ReadAll of 101 must have");
    assertMistake(new StoreCall.Erase(buckets(26), List.of()), "Erase of 26 must have");
    assertMistake(new StoreCall.ReadAll(List.of(BUCKET, BUCKET)), "ReadAll names test/key-42");
    assertMistake(new StoreCall.Lookup(List.of(SYSTEM, SYSTEM), false), "Lookup names Config[");
  }

  @Test
  void erase_sameItemByKeyAndAddress_isAMistake() {
    execute(new StoreCall.Write(new WritePlan.Create(BucketState.full(BUCKET, LIMITS, 1))));
    ItemAddress address = store.items().get(0).address();
    assertMistake(
        new StoreCall.Erase(List.of(BUCKET), List.of(address)), "Erase names ItemAddress[");
    assertThat(store.size()).isEqualTo(1);
  }

  @Test
  void list_badPageSizeNamespaceOrCursor_isAMistake() {
    Listing roots = new Listing.Roots("test");
    assertMistake(new StoreCall.ListPage(roots, 0, null), "pageSize 0 must be at least 1");
    assertMistake(new StoreCall.ListPage(roots, 1, "%%"), "cursor '%%' is none");
    assertMistake(new StoreCall.ListPage(roots, 1, "AAAA"), "cursor 'AAAA' is not one of Roots[");
    assertMistake(
        new StoreCall.ListPage(new Listing.AuditOfSubject("a/audit b", "c", "", ""), 1, null),
        "namespace 'a/audit b' contains '/'");
    assertMistake(
        new StoreCall.Lookup(List.of(new RecordKey.Audit("a/audit b", "c", "1")), true),
        "namespace 'a/audit b' contains '/'");
    assertMistake(
        new StoreCall.Lookup(List.of(new RecordKey.Job("_x", "1")), true),
        "namespace '_x' begins with '_'");
  }

  @Test
  void list_fullPageWithNothingAfter_hasACursorToAnEmptyPage() {
    store.put(entity(1, null, 0));
    StoreReply.Page only = page(new Listing.Roots("test"), 1);
    assertThat(only.entries()).hasSize(1);
    assertThat(only.cursor()).isNotNull();
    StoreReply next = execute(new StoreCall.ListPage(new Listing.Roots("test"), 1, only.cursor()));
    assertThat(next)
        .isInstanceOfSatisfying(
            StoreReply.Page.class,
            page -> {
              assertThat(page.entries()).isEmpty();
              assertThat(page.cursor()).isNull();
            });
  }

  private StoreReply.Page page(Listing listing, int pageSize) {
    return (StoreReply.Page) execute(new StoreCall.ListPage(listing, pageSize, null));
  }

  private static List<BucketKey> buckets(int count) {
    return IntStream.range(0, count)
        .mapToObj(shard -> new BucketKey("test", "key-42", "gpt-4", shard))
        .toList();
  }
}
