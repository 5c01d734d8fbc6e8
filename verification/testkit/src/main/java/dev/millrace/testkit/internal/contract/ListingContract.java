package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractRecords.LIMITS;
import static dev.millrace.testkit.internal.contract.ContractRecords.putNext;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.SchemaRecord;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import dev.millrace.testkit.internal.memory.TableLayout;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about the contents of listings. */
public interface ListingContract extends StoreUnderTest {
  @ParameterizedTest
  @EnumSource
  default void list_entities_byTheirPresentParent(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    records.given(
        records.entity("org", 1, null, 0),
        records.entity("org.2", 1, null, 0),
        records.entity("team", 1, "org", 0),
        records.entity("team-2", 1, "org", 0),
        records.entity("key", 1, "team", 0));
    records.assertListed(new Listing.Roots(namespace), "org", "org.2");
    records.assertListed(new Listing.Children(namespace, "org"), "team", "team-2");
    records.assertListed(new Listing.Children(namespace, "team"), "key");
    records.assertListed(new Listing.Children(namespace, "key"), new String[0]);
    records.given(
        putNext(records.entity("team", 2, "org.2", 0)),
        putNext(records.entity("key", 2, null, 0)),
        new RecordChange.Delete(records.entity("team-2"), 1));
    records.assertListed(new Listing.Roots(namespace), "org", "org.2", "key");
    records.assertListed(new Listing.Children(namespace, "org"), new String[0]);
    records.assertListed(new Listing.Children(namespace, "org.2"), "team");
    records.assertListed(new Listing.Children(namespace, "team"), new String[0]);
  }

  /** Counting children and other updates must not take an entity out of its list. */
  @ParameterizedTest
  @EnumSource
  default void list_entitiesThatChange_stayListed(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.given(records.entity("a", 1, null, 0), records.entity("b", 1, "a", 0));
    records.given(
        new RecordChange.AddChildren(records.entity("a"), 1),
        putNext(records.entity("b", 2, "a", 0)));
    records.given(putNext(records.entity("a", 2, null, 0)));
    records.assertListed(new Listing.Roots(records.namespace()), "a");
    records.assertListed(new Listing.Children(records.namespace(), "a"), "b");
  }

  @ParameterizedTest
  @EnumSource
  default void list_buckets_byResourceEntityAndNamespace(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    BucketKey a = records.bucket("a", "gpt-4", 0);
    BucketKey shard2 = records.bucket("a", "gpt-4", 2);
    BucketKey shard10 = records.bucket("a", "gpt-4", 10);
    BucketKey mini = records.bucket("a", "gpt-4/mini", 0);
    BucketKey longer = records.bucket("a.b", "gpt-4", 0);
    BucketKey foreign = new BucketKey(namespace + "-2", "a", "gpt-4", 0);
    records.given(a, shard2, shard10, mini, longer, foreign);
    records.assertListed(
        new Listing.BucketsOfResource(namespace, "gpt-4"), a, shard2, shard10, longer);
    records.assertListed(new Listing.BucketsOfResource(namespace, "gpt-4/mini"), mini);
    records.assertListed(new Listing.BucketsOfResource(namespace, "gpt"), new BucketKey[0]);
    records.assertListed(new Listing.BucketsOfEntity(namespace, "a"), a, shard2, shard10, mini);
    records.assertListed(new Listing.BucketsOfEntity(namespace, "a.b"), longer);
    records.assertListed(new Listing.BucketsOfEntity(namespace + "-2", "a"), foreign);
  }

  /** A listing that reads the whole table, so only with large pages. */
  @ParameterizedTest
  @EnumSource
  default void list_bucketsOfNamespace_areAllOfItAndNoRecord(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    BucketKey a = records.bucket("a", "gpt-4", 0);
    BucketKey shard = records.bucket("a", "gpt-4", 7);
    BucketKey b = records.bucket("b", "other", 0);
    records.given(a, shard, b, new BucketKey(namespace + "-2", "a", "gpt-4", 0));
    records.given(records.entity("a", 1, null, 0), records.config("a", "gpt-4", 1, LIMITS));
    List<ListEntry> expected =
        List.of(new ListEntry.Bucket(a), new ListEntry.Bucket(shard), new ListEntry.Bucket(b));
    records.assertListed(new Listing.BucketsOfNamespace(namespace), 1_000, expected);
  }

  @ParameterizedTest
  @EnumSource
  default void list_entitiesWithLimits_onlyWhileTheyHaveThem(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    ConfigRecord without = records.config("c", "gpt-4", 1, null);
    records.given(
        records.config("a", "gpt-4", 1, LIMITS),
        records.config("b", "gpt-4", 1, LIMITS),
        without.withCascade(true),
        records.config("a", "gpt-4/mini", 1, LIMITS),
        records.config("a", "", 1, LIMITS),
        records.config("d", "", 1, null));
    records.assertListed(new Listing.ConfiguredEntities(namespace, "gpt-4"), "a", "b");
    records.assertListed(new Listing.ConfiguredEntities(namespace, "gpt-4/mini"), "a");
    records.assertListed(new Listing.DefaultedEntities(namespace), "a");
    records.given(
        putNext(records.config("a", "gpt-4", 2, null)),
        putNext(without.withCascade(true).withLimits(LIMITS)),
        putNext(records.config("a", "", 2, null)),
        putNext(records.config("d", "", 2, LIMITS)),
        new RecordChange.Delete(records.config("a", "gpt-4/mini", 1, null).key(), 1));
    records.assertListed(new Listing.ConfiguredEntities(namespace, "gpt-4"), "b", "c");
    records.assertListed(new Listing.ConfiguredEntities(namespace, "gpt-4/mini"), new String[0]);
    records.assertListed(new Listing.DefaultedEntities(namespace), "d");
    records.given(putNext(records.config("a", "gpt-4", 3, LIMITS)));
    records.assertListed(new Listing.ConfiguredEntities(namespace, "gpt-4"), "a", "b", "c");
  }

  @ParameterizedTest
  @EnumSource
  default void list_configsOfEntity_areThoseOfBothLevels(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    ConfigRecord any = records.config("a", "", 3, LIMITS);
    ConfigRecord one = records.config("a", "gpt-4", 1, LIMITS);
    ConfigRecord empty = records.config("a", "Z", 9, null);
    records.given(any, one, empty, records.config("a.b", "gpt-4", 1, LIMITS));
    records.given(records.entity("a", 1, null, 0));
    records.given(records.bucket("a", "gpt-4", 0));
    records.assertListed(new Listing.ConfigsOfEntity(namespace, "a"), any, one, empty);
    records.assertListed(new Listing.ConfigsOfEntity(namespace, "b"), new ConfigRecord[0]);
  }

  @ParameterizedTest
  @EnumSource
  default void list_resourceConfigs_areAllWithLimitsOrNot(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    ConfigRecord limited =
        ConfigRecord.empty(RecordKey.Config.ofResource(namespace, "a")).withLimits(LIMITS);
    ConfigRecord switchedOff =
        ConfigRecord.empty(RecordKey.Config.ofResource(namespace, "b")).withDisabled(true);
    records.given(
        limited,
        switchedOff,
        ConfigRecord.empty(RecordKey.Config.ofResource(namespace + "-2", "a")).withLimits(LIMITS),
        ConfigRecord.empty(RecordKey.Config.ofSystem(namespace)).withLimits(LIMITS),
        records.config("a", "a", 1, LIMITS));
    records.assertListed(new Listing.ResourceConfigs(namespace), limited, switchedOff);
    records.given(putNext(switchedOff.withDisabled(false)), putNext(limited.withLimits(null)));
    records.assertListed(
        new Listing.ResourceConfigs(namespace),
        limited.withLimits(null),
        switchedOff.withDisabled(false));
  }

  /** What no name can be is listed nowhere, or is a mistake; it never reaches something else. */
  @ParameterizedTest
  @EnumSource
  default void list_hostileNames_reachNothing(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    records.given(records.entity("a", 1, null, 0), records.entity("b", 1, "a", 0));
    records.given(records.config("a", "gpt-4", 1, LIMITS));
    records.given(records.bucket("a", "gpt-4", 0), records.bucket("a", "gpt-4", 1));
    for (Listing hostile :
        List.of(
            new Listing.Roots(namespace + "/"),
            new Listing.Roots(namespace + "/PARENT#a"),
            new Listing.Roots(""),
            new Listing.Children(namespace, ""),
            new Listing.Children(namespace, "a#"),
            new Listing.Children("", "a"),
            new Listing.Children(namespace + "/PARENT#a", ""),
            new Listing.BucketsOfEntity(namespace, "a#gpt-4"),
            new Listing.BucketsOfEntity(namespace, "a "),
            new Listing.BucketsOfResource(namespace, "gpt-4#0"),
            new Listing.BucketsOfResource(namespace + " gpt-4", ""),
            new Listing.ConfiguredEntities(namespace, "gpt-"),
            new Listing.ConfiguredEntities(namespace, ""),
            new Listing.ConfigsOfEntity(namespace, ""),
            new Listing.ItemsOfEntity(namespace, ""),
            new Listing.BucketsOfNamespace(""),
            new Listing.BucketsOfNamespace(namespace + "/BUCKET#a"),
            new Listing.ItemsOfEntity(namespace.substring(1), "a"))) {
      StoreReply reply;
      try {
        reply = records.execute(new StoreCall.ListPage(hostile, 1_000, null));
      } catch (IllegalArgumentException refused) {
        continue;
      }
      assertThat(reply)
          .as("%s", hostile)
          .isInstanceOfSatisfying(
              StoreReply.Page.class, page -> assertThat(page.entries()).isEmpty());
    }
  }

  /** Everybody's: only what is this test's can be told. */
  @ParameterizedTest
  @EnumSource
  default void list_allItems_includesEverythingOnce(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    records.given(records.bucket("a", "gpt-4", 0), records.bucket("a", "gpt-4", 1));
    records.given(
        records.entity("a", 1, null, 0),
        records.config("a", "", 1, LIMITS),
        ConfigRecord.empty(RecordKey.Config.ofSystem(namespace)).withLimits(LIMITS));
    if (records.lookup(new RecordKey.Schema()) == null) {
      records.given(new SchemaRecord(SchemaRecord.SUPPORTED));
    }
    records.assertSame(
        "how many items of the namespace there are",
        () -> all(records).stream().filter(item -> item.namespace().equals(namespace)).count(),
        5L);
    List<ListEntry.Item> all = all(records);
    assertThat(all).doesNotHaveDuplicates();
    assertThat(all).anyMatch(item -> item.namespace().equals(TableLayout.NO_NAMESPACE));
  }

  private static List<ListEntry.Item> all(ContractRecords records) {
    return records.list(new Listing.AllItems(), 1_000).stream()
        .map(entry -> (ListEntry.Item) entry)
        .toList();
  }
}
