package dev.millrace.tests.store;

import static dev.millrace.tests.store.DirectoryTable.audit;
import static dev.millrace.tests.store.DirectoryTable.bucket;
import static dev.millrace.tests.store.DirectoryTable.config;
import static dev.millrace.tests.store.DirectoryTable.entity;
import static dev.millrace.tests.store.DirectoryTable.job;
import static dev.millrace.tests.store.DirectoryTable.namespace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.OnUnavailable;
import dev.millrace.SchemaMismatchException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.dynamodb.admin.TableAdmin;
import dev.millrace.tests.store.DirectoryTable.Port;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records and transactions over the real protocol, through both clients. */
class DirectoryIT {
  private static final LimitChange TAKE_ONE =
      new LimitChange("rpm", -1_000, 1_000, 1_000, LimitChange.NO_CEILING);

  private static DirectoryTable table;

  private final String ns = DirectoryTable.newNamespace();
  private final BucketKey key = BucketKey.first(ns, "x", "gpt-4");

  @BeforeAll
  static void open() {
    table = new DirectoryTable();
  }

  @AfterAll
  static void close() {
    table.close();
  }

  @ParameterizedTest
  @EnumSource
  void lookup_everyKindOfRecord_comesBackAsItWasPut(Port port) {
    List<StoredRecord> records =
        List.of(
            entity(ns, "org", null),
            entity(ns, "x", "org"),
            config(RecordKey.Config.ofEntityResource(ns, "x", "a/b"), 1, "rpm", "t-p.m"),
            config(RecordKey.Config.ofEntity(ns, "x"), 1, "rpm"),
            config(RecordKey.Config.ofResource(ns, "a/b"), 1).withDisabled(true),
            new ConfigRecord(
                RecordKey.Config.ofSystem(ns), 1, null, null, false, OnUnavailable.ALLOW, 90),
            audit(ns, "entity/x #1", "01HX"),
            audit("_", ns, "01HX"),
            job(ns, "01HX"),
            namespace(new RecordKey.NamespaceByName(ns), ns, ns + "-id"),
            namespace(new RecordKey.NamespaceById(ns + "-id"), ns, ns + "-id"));
    table.create(port, records.toArray(StoredRecord[]::new));

    Map<RecordKey, StoredRecord> expected = new LinkedHashMap<>();
    records.forEach(record -> expected.put(record.key(), record));
    expected.put(new RecordKey.Schema(), new SchemaRecord(SchemaRecord.SUPPORTED));
    List<RecordKey> keys = new ArrayList<>(expected.keySet());
    keys.add(new RecordKey.Entity(ns, "nobody"));
    for (boolean consistent : new boolean[] {true, false}) {
      StoreReply reply = table.execute(port, new StoreCall.Lookup(keys, consistent));
      assertThat(reply)
          .isInstanceOfSatisfying(
              StoreReply.Records.class, found -> assertThat(found.records()).isEqualTo(expected));
      assertThat(reply.receipt().readUnits()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void put_expectedVersion_onlyThatOneIsReplaced(Port port) {
    RecordKey.Config key = RecordKey.Config.ofSystem(ns);
    ConfigRecord first = config(key, 1, "rpm");
    table.create(port, first);
    ConfigRecord second = first.withLimits(null);
    assertCancelled(table.transact(port, put(second, RecordChange.Put.ABSENT)), first);
    ConfigRecord wrong = config(key, 6, "rpm");
    assertCancelled(table.transact(port, put(wrong, 5)), first);
    assertThat(table.find(port, key)).isEqualTo(first);

    assertThat(table.transact(port, put(second, 1))).isInstanceOf(StoreReply.Committed.class);
    assertThat(table.find(port, key)).isEqualTo(second);
    assertCancelled(table.transact(port, put(second, 1)), second);
    RecordKey.Config missing = RecordKey.Config.ofEntity(ns, "nobody");
    assertCancelled(table.transact(port, put(config(missing, 2, "rpm"), 1)), null);
  }

  @ParameterizedTest
  @EnumSource
  void put_entity_leavesItsChildrenAsTheyAre(Port port) {
    EntityRecord before = entity(ns, "x", "org");
    table.create(port, before);
    assertThat(table.transact(port, new RecordChange.AddChildren(before.key(), 3)))
        .isInstanceOf(StoreReply.Committed.class);
    EntityRecord atTheTop = entity(ns, "x", null, 2, 0);
    assertThat(table.transact(port, put(atTheTop, 1))).isInstanceOf(StoreReply.Committed.class);
    assertThat(table.find(port, before.key())).isEqualTo(entity(ns, "x", null, 2, 3));
    assertThat(table.list(port, new Listing.Roots(ns), 10))
        .containsExactly(new ListEntry.Entity("x"));
    assertThat(table.list(port, new Listing.Children(ns, "org"), 10)).isEmpty();

    EntityRecord back = entity(ns, "x", "org", 3, 99);
    assertThat(table.transact(port, put(back, 2))).isInstanceOf(StoreReply.Committed.class);
    assertThat(table.find(port, before.key())).isEqualTo(entity(ns, "x", "org", 3, 3));
  }

  @ParameterizedTest
  @EnumSource
  void addChildren_bounds_areKept(Port port) {
    EntityRecord org = entity(ns, "org", null);
    RecordKey.Entity key = org.key();
    assertCancelled(table.transact(port, new RecordChange.AddChildren(key, 1)), null);
    table.create(port, org);
    assertCancelled(table.transact(port, new RecordChange.AddChildren(key, -1)), org);
    assertThat(table.transact(port, new RecordChange.AddChildren(key, 2)))
        .isInstanceOf(StoreReply.Committed.class);
    EntityRecord two = entity(ns, "org", null, 1, 2);
    assertCancelled(table.transact(port, new RecordChange.AddChildren(key, -3)), two);
    assertCancelled(table.transact(port, new RecordChange.AddChildren(key, 1, 2)), two);
    assertThat(table.transact(port, new RecordChange.AddChildren(key, -2, 1)))
        .isInstanceOf(StoreReply.Committed.class);
    assertThat(table.find(port, key)).isEqualTo(org);
  }

  @ParameterizedTest
  @EnumSource
  void delete_entity_onlyWithoutChildrenAndOfThatVersion(Port port) {
    EntityRecord org = entity(ns, "org", null);
    table.create(port, org);
    table.transact(port, new RecordChange.AddChildren(org.key(), 1));
    EntityRecord parent = entity(ns, "org", null, 1, 1);
    assertCancelled(table.transact(port, new RecordChange.Delete(org.key(), 1)), parent);
    table.transact(port, new RecordChange.AddChildren(org.key(), -1));
    assertCancelled(table.transact(port, new RecordChange.Delete(org.key(), 2)), org);
    assertThat(table.transact(port, new RecordChange.Delete(org.key(), 1)))
        .isInstanceOf(StoreReply.Committed.class);
    assertThat(table.find(port, org.key())).isNull();
    assertCancelled(table.transact(port, new RecordChange.Delete(org.key(), 1)), null);
  }

  @ParameterizedTest
  @EnumSource
  void check_otherVersion_stopsEverything(Port port) {
    EntityRecord org = entity(ns, "org", null);
    table.create(port, org);
    EntityRecord child = entity(ns, "x", "org");
    RecordChange create = put(child, RecordChange.Put.ABSENT);
    StoreReply reply = table.transact(port, create, new RecordChange.Check(org.key(), 2));
    assertThat(((StoreReply.Cancelled) reply).causes())
        .containsExactly(Cause.NONE, new Cause(true, null, org));
    assertThat(table.find(port, child.key())).isNull();
    assertThat(table.transact(port, create, new RecordChange.Check(org.key(), 1)))
        .isInstanceOf(StoreReply.Committed.class);
    assertThat(table.find(port, child.key())).isEqualTo(child);
  }

  @ParameterizedTest
  @EnumSource
  void transaction_bucketsAndRecords_allOrNone(Port port) {
    BucketKey other = BucketKey.first(ns, "y", "gpt-4");
    table.createBuckets(port, key);
    WritePlan.Create create = new WritePlan.Create(bucket(other));
    LimitChange tooMuch = new LimitChange("rpm", -11_000, 11_000, 11_000, LimitChange.NO_CEILING);
    StoreReply refused =
        table.transact(
            port,
            List.of(consume(tooMuch), create),
            List.of(put(audit(ns, "x", "1"), RecordChange.Put.ABSENT)));
    assertThat(((StoreReply.Cancelled) refused).causes())
        .containsExactly(new Cause(true, bucket(key), null), Cause.NONE, Cause.NONE);
    assertThat(table.read(port, other)).isNull();
    assertThat(table.find(port, new RecordKey.Audit(ns, "x", "1"))).isNull();
    assertThat(refused.receipt().writeUnits()).isEqualTo(6);

    StoreReply made =
        table.transact(
            port,
            List.of(consume(TAKE_ONE), create),
            List.of(put(audit(ns, "x", "1"), RecordChange.Put.ABSENT)));
    assertThat(made).isInstanceOf(StoreReply.Committed.class);
    assertThat(made.receipt().writeUnits()).as("two for each small item").isEqualTo(6);
    assertThat(table.read(port, other)).isEqualTo(bucket(other));
    BucketState taken = Objects.requireNonNull(table.read(port, key));
    assertThat(taken.limits().get(0).tokensMilli()).isEqualTo(9_000);
    assertThat(table.find(port, new RecordKey.Audit(ns, "x", "1"))).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void transaction_sentTwice_isMadeOnce(Port port) {
    table.createBuckets(port, key);
    String token = UUID.randomUUID().toString();
    StoreCall call = new StoreCall.Transaction(List.of(consume(TAKE_ONE)), List.of(), token);
    assertThat(table.execute(port, call)).isInstanceOf(StoreReply.Committed.class);
    assertThat(table.execute(port, call)).isInstanceOf(StoreReply.Committed.class);
    assertThat(Objects.requireNonNull(table.read(port, key)).limits().get(0).tokensMilli())
        .isEqualTo(9_000);

    StoreCall another =
        new StoreCall.Transaction(
            List.of(new WritePlan.Create(bucket(BucketKey.first(ns, "y", "gpt-4")))),
            List.of(),
            token);
    assertThatThrownBy(() -> table.execute(port, another))
        .satisfies(
            thrown ->
                assertThat(port == Port.ASYNC ? thrown.getCause() : thrown)
                    .isInstanceOf(IllegalArgumentException.class));
  }

  @ParameterizedTest
  @EnumSource
  void transaction_hundredWrites_isMade(Port port) {
    List<RecordChange> changes = new ArrayList<>();
    for (int i = 0; i < StoreCall.Transaction.MAX_ACTIONS; i++) {
      changes.add(put(audit(ns, "x", "id-" + i), RecordChange.Put.ABSENT));
    }
    StoreReply reply = table.transact(port, List.of(), changes);
    assertThat(reply).isInstanceOf(StoreReply.Committed.class);
    assertThat(reply.receipt().writeUnits()).isEqualTo(200);
  }

  @Test
  void createIfMissing_newTable_saysItsVersionAndANewerOneIsRefused() {
    try (DirectoryTable own = new DirectoryTable()) {
      TableAdmin admin = TableAdmin.of(own.client(), own.table());
      assertThat(own.find(Port.BLOCKING, new RecordKey.Schema())).isEqualTo(new SchemaRecord(3));
      admin.verify();
      assertThat(own.transact(Port.BLOCKING, put(new SchemaRecord(4), 3)))
          .isInstanceOf(StoreReply.Committed.class);
      assertThatThrownBy(admin::verify)
          .isInstanceOf(SchemaMismatchException.class)
          .hasMessageContaining("upgrade Millrace");
      assertThatThrownBy(admin::createIfMissing).isInstanceOf(SchemaMismatchException.class);
      assertThat(own.find(Port.BLOCKING, new RecordKey.Schema())).isEqualTo(new SchemaRecord(4));
    }
  }

  private WritePlan.Consume consume(LimitChange change) {
    return new WritePlan.Consume(key, 0, List.of(change), BucketState.NEVER, "op-2");
  }

  private static RecordChange.Put put(StoredRecord record, long expectedVersion) {
    return new RecordChange.Put(record, expectedVersion);
  }

  private static void assertCancelled(StoreReply reply, @Nullable StoredRecord by) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            StoreReply.Cancelled.class,
            cancelled -> assertThat(cancelled.causes()).containsExactly(new Cause(true, null, by)));
  }
}
