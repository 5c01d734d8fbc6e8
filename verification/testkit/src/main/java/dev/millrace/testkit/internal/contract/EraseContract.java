package dev.millrace.testkit.internal.contract;

import static dev.millrace.testkit.internal.contract.ContractRecords.LIMITS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.AuditEvent;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about deleting buckets and records of every kind. */
public interface EraseContract extends StoreUnderTest {
  private static void erase(
      ContractRecords records, List<BucketKey> buckets, List<ItemAddress> items) {
    assertThat(records.execute(new StoreCall.Erase(buckets, items)))
        .isInstanceOf(StoreReply.Erased.class);
  }

  private static List<ItemAddress> items(ContractRecords records, String entityId) {
    Listing listing = new Listing.ItemsOfEntity(records.namespace(), entityId);
    return records.list(listing, 2).stream()
        .map(entry -> (ListEntry.Item) entry)
        .peek(item -> assertThat(item.namespace()).isEqualTo(records.namespace()))
        .map(ListEntry.Item::address)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  default void erase_buckets_areGoneAlsoFromListings(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    BucketKey gone = records.bucket("a", "gpt-4", 0);
    BucketKey shard = records.bucket("a", "gpt-4", 1);
    BucketKey kept = records.bucket("a.b", "gpt-4", 0);
    records.given(gone, shard, kept);
    erase(records, List.of(gone, shard), List.of());
    assertThat(records.read(gone)).isNull();
    assertThat(records.read(shard)).isNull();
    assertThat(records.read(kept)).isNotNull();
    records.assertListed(new Listing.BucketsOfEntity(records.namespace(), "a"), new BucketKey[0]);
    records.assertListed(new Listing.BucketsOfResource(records.namespace(), "gpt-4"), kept);
  }

  @ParameterizedTest
  @EnumSource
  default void erase_whatIsNotThere_isNoFailure(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.given(records.entity("a", 1, null, 0));
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    List<ItemAddress> items = items(records, "a");
    erase(records, List.of(bucket), items);
    erase(records, List.of(bucket), items);
    assertThat(items(records, "a")).isEmpty();
    records.given(bucket);
    assertThat(records.read(bucket)).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  default void erase_itemsOfEntity_isItsWholePartitionAndNoMore(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    String namespace = records.namespace();
    EntityRecord entity = records.entity("a", 1, null, 0);
    ConfigRecord any = records.config("a", "", 1, LIMITS);
    ConfigRecord one = records.config("a", "gpt-4", 1, LIMITS);
    ConfigRecord neighbour = records.config("a.b", "gpt-4", 1, LIMITS);
    BucketKey bucket = records.bucket("a", "gpt-4", 0);
    AuditEvent event =
        new AuditEvent(
            new RecordKey.Audit(namespace, "a", "01HZ"), 1, "x", "y", Map.of(), Map.of(), 0);
    records.given(entity, any, one, neighbour, event);
    records.given(bucket);
    List<ItemAddress> items = items(records, "a");
    assertThat(items).hasSize(3).doesNotHaveDuplicates();
    erase(records, List.of(), items);
    assertThat(items(records, "a")).isEmpty();
    assertThat(
            records.lookup(
                List.of(entity.key(), any.key(), one.key(), neighbour.key(), event.key())))
        .isEqualTo(Map.of(neighbour.key(), neighbour, event.key(), event));
    assertThat(records.read(bucket)).isNotNull();
    records.assertListed(new Listing.Roots(namespace), new EntityRecord[0]);
    records.assertListed(new Listing.DefaultedEntities(namespace), new EntityRecord[0]);
    records.assertListed(new Listing.ConfiguredEntities(namespace, "gpt-4"), "a.b");
  }

  /** An erasure asks nobody: it is for what is known to have to go. */
  @ParameterizedTest
  @EnumSource
  default void erase_entityWithChildren_isGoneToo(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    records.given(records.entity("a", 1, null, 0));
    records.given(new RecordChange.AddChildren(records.entity("a"), 1));
    erase(records, List.of(), items(records, "a"));
    assertThat(records.lookup(records.entity("a"))).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void erase_asManyAsAllowed_areGone(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    List<BucketKey> keys =
        IntStream.range(0, StoreCall.Erase.MAX_ITEMS)
            .mapToObj(shard -> records.bucket("a", "gpt-4", shard))
            .toList();
    records.given(keys.toArray(BucketKey[]::new));
    erase(records, keys, List.of());
    assertThat(records.execute(new StoreCall.ReadAll(keys)))
        .isInstanceOfSatisfying(
            StoreReply.FoundAll.class, found -> assertThat(found.states()).isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  default void erase_tooManyNoneOrTwice_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    List<BucketKey> keys =
        IntStream.rangeClosed(0, StoreCall.Erase.MAX_ITEMS)
            .mapToObj(shard -> records.bucket("a", "gpt-4", shard))
            .toList();
    records.given(keys.get(0));
    records.assertMistake(new StoreCall.Erase(keys, List.of()));
    records.assertMistake(new StoreCall.Erase(List.of(), List.of()));
    records.assertMistake(new StoreCall.Erase(List.of(keys.get(0), keys.get(0)), List.of()));
    assertThat(records.read(keys.get(0))).isNotNull();
  }
}
