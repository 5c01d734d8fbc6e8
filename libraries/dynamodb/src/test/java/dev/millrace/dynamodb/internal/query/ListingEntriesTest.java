package dev.millrace.dynamodb.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.MillraceException;
import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.dynamodb.Records;
import dev.millrace.dynamodb.internal.item.RecordCodec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ListingEntriesTest {
  @Test
  void of_keysAlone_areEntitiesAndBuckets() {
    assertThat(of(new Listing.Children("a", "x"), key("a/ENTITY#x:y", "#META")))
        .containsExactly(new ListEntry.Entity("x:y"));
    assertThat(of(new Listing.Roots("a"), key("a/ENTITY#x", "#META")))
        .containsExactly(new ListEntry.Entity("x"));
    assertThat(of(new Listing.ConfiguredEntities("a", "r/s"), key("a/ENTITY#x", "#CONFIG#r/s")))
        .containsExactly(new ListEntry.Entity("x"));
    assertThat(of(new Listing.DefaultedEntities("a"), key("a/ENTITY#x", "#CONFIG#_default_")))
        .containsExactly(new ListEntry.Entity("x"));
    assertThat(of(new Listing.BucketsOfResource("a", "r/s"), key("a/BUCKET#x#r/s#12", "#STATE")))
        .containsExactly(new ListEntry.Bucket(new BucketKey("a", "x", "r/s", 12)));
  }

  @Test
  void of_bucketsOfAnOlderSchema_areLeftOut() {
    Listing listing = new Listing.BucketsOfResource("a", "r");
    assertThat(of(listing, key("a/ENTITY#x", "#BUCKET#r"))).isEmpty();
    assertThat(of(listing, key("a/ENTITY#x", "#BUCKET#r#rpm"))).isEmpty();
    assertThatThrownBy(() -> of(listing, key("b/ENTITY#x", "#BUCKET#r")))
        .isInstanceOf(MillraceException.class);
  }

  @Test
  void of_items_areTheirAddresses() {
    assertThat(of(new Listing.AllItems(), key("a/ENTITY#x", "#USAGE#y")))
        .containsExactly(new ListEntry.Item("a", new ItemAddress("a/ENTITY#x", "#USAGE#y")));
    assertThat(of(new Listing.AllItems(), key("odd", "s")))
        .containsExactly(new ListEntry.Item("", new ItemAddress("odd", "s")));
  }

  @Test
  void of_records_areDecoded() {
    RecordKey.Config key = RecordKey.Config.ofEntity("a", "x");
    assertThat(
            of(
                new Listing.ConfigsOfEntity("a", "x"),
                RecordCodec.encode(Records.config(key, 2, "rpm"))))
        .containsExactly(new ListEntry.Stored(Records.config(key, 2, "rpm")));
  }

  @Test
  void of_recordsReadAfterwards_areInTheOrderOfTheListing() {
    ListingPlan plan = ListingPlan.of(new Listing.AuditOfNamespace("a", "", ""));
    List<ItemAddress> addresses =
        ListingEntries.addresses(
            plan,
            List.of(
                key("a/AUDIT#x", "#AUDIT#3"),
                key("a/AUDIT#y", "#AUDIT#2"),
                key("a/AUDIT#x", "#AUDIT#1")));
    assertThat(
            ListingEntries.of(
                addresses,
                List.of(
                    RecordCodec.encode(Records.audit("a", "x", "1")),
                    RecordCodec.encode(Records.audit("a", "x", "3")))))
        .as("the second has gone meanwhile")
        .containsExactly(
            new ListEntry.Stored(Records.audit("a", "x", "3")),
            new ListEntry.Stored(Records.audit("a", "x", "1")));
  }

  /** An index has what somebody wrote into it, by mistake or on purpose. */
  @ParameterizedTest
  @CsvSource({
    "a-b/ENTITY#x, #META",
    "b/ENTITY#x, #META",
    "a/b/ENTITY#x, #META",
    "A/ENTITY#x, #META",
    "_/ENTITY#x, #META",
    "ENTITY#x, #META",
    "a/ENTITY#x, #STATE",
    "a/RESOURCE#x, #CONFIG",
    "a/BUCKET#x#y#0, #STATE"
  })
  void of_entityThatIsNoneOfTheNamespace_isCorrupt(String partition, String sort) {
    assertThatThrownBy(() -> of(new Listing.Roots("a"), key(partition, sort)))
        .isInstanceOfSatisfying(
            MillraceException.class,
            e -> {
              assertThat(e.summary()).isEqualTo("corrupt entry of a listing");
              assertThat(e.attributes())
                  .containsEntry("partition", partition)
                  .containsEntry("sort", sort)
                  .containsKeys("listing", "problem");
            });
  }

  @Test
  void addresses_ofAnotherNamespace_areCorrupt() {
    ListingPlan plan = ListingPlan.of(new Listing.AuditOfNamespace("a", "", ""));
    assertThatThrownBy(
            () -> ListingEntries.addresses(plan, List.of(key("a-b/AUDIT#x", "#AUDIT#3"))))
        .isInstanceOf(MillraceException.class)
        .hasMessageContaining("it belongs to another namespace");
  }

  private static List<ListEntry> of(Listing listing, Map<String, AttributeValue> item) {
    return ListingEntries.of(ListingPlan.of(listing), List.of(item));
  }

  private static Map<String, AttributeValue> key(String partition, String sort) {
    return Map.of("PK", AttributeValue.fromS(partition), "SK", AttributeValue.fromS(sort));
  }
}
