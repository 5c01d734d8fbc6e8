package dev.millrace.tests.store;

import static dev.millrace.tests.store.DirectoryTable.audit;
import static dev.millrace.tests.store.DirectoryTable.config;
import static dev.millrace.tests.store.DirectoryTable.entity;
import static dev.millrace.tests.store.DirectoryTable.job;
import static dev.millrace.tests.store.DirectoryTable.namespace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.tests.store.DirectoryTable.Port;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Listings over the real protocol, with pages that are smaller than what they list. */
class ListingsIT {
  private static DirectoryTable table;

  private final String ns = DirectoryTable.newNamespace();

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
  void children_manyPages_listsEachOnceInOrder(Port port) {
    List<StoredRecord> entities = new ArrayList<>();
    List<ListEntry> expected = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      String id = "child-%02d".formatted(i);
      entities.add(entity(ns, id, "x"));
      expected.add(new ListEntry.Entity(id));
    }
    entities.add(entity(ns, "root", null));
    entities.add(entity(ns, "other", "x:y"));
    Collections.shuffle(entities, new Random(7));
    table.create(port, entities.toArray(StoredRecord[]::new));
    for (int pageSize : new int[] {1, 4, 5, 25, 26, 1_000}) {
      assertThat(table.list(port, new Listing.Children(ns, "x"), pageSize)).isEqualTo(expected);
    }
    assertThat(table.list(port, new Listing.Children(ns, "x:y"), 10))
        .containsExactly(new ListEntry.Entity("other"));
    assertThat(table.list(port, new Listing.Roots(ns), 10))
        .containsExactly(new ListEntry.Entity("root"));
    assertThat(table.list(port, new Listing.Children(ns, "nobody"), 10)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void buckets_everyWayToListThem_areComplete(Port port) {
    List<BucketKey> keys = new ArrayList<>();
    for (String entityId : List.of("x", "x:y", "x-y")) {
      for (String resource : List.of("gpt-4", "gpt-4/mini", "gpt")) {
        keys.add(new BucketKey(ns, entityId, resource, 0));
        keys.add(new BucketKey(ns, entityId, resource, 12));
      }
    }
    table.createBuckets(port, keys.toArray(BucketKey[]::new));
    for (int pageSize : new int[] {1, 4, 100}) {
      assertThat(table.list(port, new Listing.BucketsOfResource(ns, "gpt-4"), pageSize))
          .containsExactlyInAnyOrderElementsOf(
              buckets(keys.stream().filter(k -> k.resource().equals("gpt-4")).toList()));
      assertThat(table.list(port, new Listing.BucketsOfEntity(ns, "x"), pageSize))
          .containsExactlyInAnyOrderElementsOf(
              buckets(keys.stream().filter(k -> k.entityId().equals("x")).toList()));
    }
    assertThat(table.list(port, new Listing.BucketsOfNamespace(ns), 7))
        .containsExactlyInAnyOrderElementsOf(buckets(keys));
  }

  private static List<ListEntry> buckets(List<BucketKey> keys) {
    return keys.stream().map(key -> (ListEntry) new ListEntry.Bucket(key)).toList();
  }

  @ParameterizedTest
  @EnumSource
  void configs_everyWayToListThem_areComplete(Port port) {
    List<StoredRecord> ofX = new ArrayList<>();
    ofX.add(config(RecordKey.Config.ofEntity(ns, "x"), 1, "rpm"));
    for (String resource : List.of("Zebra", "gpt-4", "gpt-4/mini")) {
      ofX.add(config(RecordKey.Config.ofEntityResource(ns, "x", resource), 1, "rpm"));
    }
    table.create(port, ofX.toArray(StoredRecord[]::new));
    table.create(
        port,
        entity(ns, "x", null),
        config(RecordKey.Config.ofEntityResource(ns, "x:y", "gpt-4"), 1, "rpm"),
        config(RecordKey.Config.ofEntityResource(ns, "z", "gpt-4"), 1), // without limits
        config(RecordKey.Config.ofResource(ns, "gpt-4"), 1, "rpm"),
        config(RecordKey.Config.ofResource(ns, "gpt-4/mini"), 1),
        config(RecordKey.Config.ofSystem(ns), 1, "rpm"));

    for (int pageSize : new int[] {1, 3, 500}) {
      assertThat(table.list(port, new Listing.ConfigsOfEntity(ns, "x"), pageSize))
          .containsExactlyInAnyOrderElementsOf(stored(ofX));
      assertThat(table.list(port, new Listing.ConfiguredEntities(ns, "gpt-4"), pageSize))
          .containsExactly(new ListEntry.Entity("x"), new ListEntry.Entity("x:y"));
      assertThat(table.list(port, new Listing.DefaultedEntities(ns), pageSize))
          .containsExactly(new ListEntry.Entity("x"));
      assertThat(table.list(port, new Listing.ResourceConfigs(ns), pageSize))
          .containsExactly(
              new ListEntry.Stored(config(RecordKey.Config.ofResource(ns, "gpt-4"), 1, "rpm")),
              new ListEntry.Stored(config(RecordKey.Config.ofResource(ns, "gpt-4/mini"), 1)));
    }
    assertThat(table.list(port, new Listing.ItemsOfEntity(ns, "x"), 2))
        .extracting(entry -> ((ListEntry.Item) entry).address().sort())
        .containsExactlyInAnyOrder(
            "#META", "#CONFIG#_default_", "#CONFIG#Zebra", "#CONFIG#gpt-4", "#CONFIG#gpt-4/mini");
  }

  private static List<ListEntry> stored(List<StoredRecord> records) {
    return records.stream().map(record -> (ListEntry) new ListEntry.Stored(record)).toList();
  }

  @ParameterizedTest
  @EnumSource
  void configuredEntities_configEmptiedAndFilled_leavesAndComesBack(Port port) {
    RecordKey.Config key = RecordKey.Config.ofEntityResource(ns, "x", "gpt-4");
    Listing listing = new Listing.ConfiguredEntities(ns, "gpt-4");
    table.create(port, config(key, 1, "rpm"));
    assertThat(table.list(port, listing, 10)).hasSize(1);
    table.transact(port, new RecordChange.Put(config(key, 2), 1));
    assertThat(table.list(port, listing, 10)).isEmpty();
    assertThat(table.find(port, key)).isEqualTo(config(key, 2));
    table.transact(port, new RecordChange.Put(config(key, 3, "tpm"), 2));
    assertThat(table.list(port, listing, 10)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void audit_ranges_areNewestFirst(Port port) {
    List<StoredRecord> events = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      events.add(audit(ns, i % 3 == 0 ? "x" : "x:y", "id-" + i));
    }
    table.create(port, events.toArray(StoredRecord[]::new));
    for (int pageSize : new int[] {1, 2, 100}) {
      assertThat(ids(table.list(port, new Listing.AuditOfNamespace(ns, "", ""), pageSize)))
          .containsExactly(8, 7, 6, 5, 4, 3, 2, 1, 0);
      assertThat(ids(table.list(port, new Listing.AuditOfNamespace(ns, "id-3", "id-5"), pageSize)))
          .containsExactly(5, 4, 3);
      assertThat(ids(table.list(port, new Listing.AuditOfSubject(ns, "x", "", ""), pageSize)))
          .containsExactly(6, 3, 0);
      assertThat(ids(table.list(port, new Listing.AuditOfSubject(ns, "x", "id-1", ""), pageSize)))
          .containsExactly(6, 3);
      assertThat(ids(table.list(port, new Listing.AuditOfSubject(ns, "x", "", "id-3"), pageSize)))
          .containsExactly(3, 0);
    }
    assertThat(table.list(port, new Listing.AuditOfNamespace(ns, "id-5", "id-3"), 10)).isEmpty();
    assertThat(table.list(port, new Listing.AuditOfSubject(ns, "y", "", ""), 10)).isEmpty();
  }

  private static List<Integer> ids(List<ListEntry> entries) {
    return entries.stream()
        .map(entry -> ((ListEntry.Stored) entry).record().key())
        .map(key -> Integer.parseInt(((RecordKey.Audit) key).id().substring("id-".length())))
        .toList();
  }

  /** More than one batch can read: the page ends there and the next one goes on. */
  @Test
  void audit_moreThanABatch_isComplete() {
    for (int batch = 0; batch < 3; batch++) {
      int first = batch * 100;
      table.create(
          Port.BLOCKING,
          IntStream.range(first, first + 100)
              .mapToObj(i -> audit(ns, "s" + i % 7, "id-%03d".formatted(i)))
              .toArray(StoredRecord[]::new));
    }
    Listing listing = new Listing.AuditOfNamespace(ns, "", "");
    assertThat(table.page(Port.BLOCKING, listing, 1_000, null).entries()).hasSize(100);
    assertThat(ids(table.list(Port.BLOCKING, listing, 1_000)))
        .isEqualTo(IntStream.range(0, 300).mapToObj(i -> 299 - i).toList());
  }

  @ParameterizedTest
  @EnumSource
  void jobsAndNamespaces_areListed(Port port) {
    table.create(
        port,
        job(ns, "01"),
        job(ns, "02"),
        job(ns, "03"),
        config(RecordKey.Config.ofSystem(ns), 1, "rpm"),
        namespace(new RecordKey.NamespaceByName(ns), ns, "id-" + ns),
        namespace(new RecordKey.NamespaceById("id-" + ns), ns, "id-" + ns));
    assertThat(table.list(port, new Listing.Jobs(ns), 2))
        .isEqualTo(stored(List.of(job(ns, "01"), job(ns, "02"), job(ns, "03"))));
    assertThat(table.list(port, new Listing.Namespaces(), 1))
        .contains(
            new ListEntry.Stored(namespace(new RecordKey.NamespaceByName(ns), ns, "id-" + ns)))
        .allMatch(
            entry ->
                ((ListEntry.Stored) entry).record().key() instanceof RecordKey.NamespaceByName);
  }

  @ParameterizedTest
  @EnumSource
  void allItems_smallPages_hasEverythingOnce(Port port) {
    table.createBuckets(port, BucketKey.first(ns, "x", "gpt-4"));
    table.create(port, entity(ns, "x", null), audit(ns, "x", "1"), job(ns, "1"));
    List<ListEntry> entries = table.list(port, new Listing.AllItems(), 3);
    assertThat(new HashSet<>(entries)).hasSameSizeAs(entries);
    assertThat(entries)
        .contains(
            new ListEntry.Item(ns, new ItemAddress(ns + "/BUCKET#x#gpt-4#0", "#STATE")),
            new ListEntry.Item(ns, new ItemAddress(ns + "/ENTITY#x", "#META")),
            new ListEntry.Item(ns, new ItemAddress(ns + "/AUDIT#x", "#AUDIT#1")),
            new ListEntry.Item(ns, new ItemAddress(ns + "/SYSTEM#", "#JOB#1")),
            new ListEntry.Item("_", new ItemAddress("_/SYSTEM#", "#VERSION")));
  }

  /** What is written or deleted between two pages neither hides nor repeats anything else. */
  @ParameterizedTest
  @EnumSource
  void children_changedBetweenPages_othersAreListedOnce(Port port) {
    for (String id : List.of("b", "d", "f", "h")) {
      table.create(port, entity(ns, id, "x"));
    }
    Listing listing = new Listing.Children(ns, "x");
    StoreReply.Page first = table.page(port, listing, 2, null);
    table.transact(port, new RecordChange.Delete(new RecordKey.Entity(ns, "d"), 1));
    table.create(port, entity(ns, "a", "x"), entity(ns, "g", "x"));
    StoreReply.Page second = table.page(port, listing, 10, first.cursor());
    assertThat(first.entries())
        .containsExactly(new ListEntry.Entity("b"), new ListEntry.Entity("d"));
    assertThat(second.entries())
        .containsExactly(
            new ListEntry.Entity("f"), new ListEntry.Entity("g"), new ListEntry.Entity("h"));
  }

  @Test
  void cursor_ofAnotherListingOrMangled_isRefused() {
    table.create(Port.BLOCKING, entity(ns, "a", null), entity(ns, "b", null));
    String cursor = table.page(Port.BLOCKING, new Listing.Roots(ns), 1, null).cursor();
    assertThat(cursor).isNotNull();
    Set<String> bad = Set.of(cursor.substring(1), "x" + cursor, "", "!");
    for (String each : bad) {
      assertThatThrownBy(() -> table.page(Port.BLOCKING, new Listing.Roots(ns), 1, each))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> table.page(Port.BLOCKING, new Listing.Roots(ns + "-2"), 1, cursor))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> table.page(Port.BLOCKING, new Listing.Children(ns, "a"), 1, cursor))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
