package dev.millrace.testkit.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Samples;
import dev.millrace.testkit.internal.memory.TableLayout;
import dev.millrace.testkit.internal.memory.TablePosition;
import dev.millrace.testkit.internal.model.PartitionThroughput.Units;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartitionUseTest {
  private static final String BUCKET = "test/bucket a gpt-4 0";

  private static void assertUse(StoreCall call, Map<String, Units> expected) {
    assertThat(PartitionUse.of(call)).as("%s", call).isEqualTo(expected);
  }

  @Test
  void of_buckets_haveAPartitionEach() {
    assertUse(new StoreCall.Read(Samples.bucket("a")), Map.of(BUCKET, new Units(1, 0)));
    assertUse(Samples.write("a"), Map.of(BUCKET, new Units(0, 1)));
    assertUse(
        new StoreCall.ReadAll(List.of(Samples.bucket("a"), Samples.bucket("b"))),
        Map.of(BUCKET, new Units(1, 0), "test/bucket b gpt-4 0", new Units(1, 0)));
  }

  @Test
  void of_recordsOfOneEntity_shareAPartition() {
    List<RecordKey> keys =
        List.of(
            Samples.entity("a"),
            RecordKey.Config.ofEntity("test", "a"),
            RecordKey.Config.ofEntityResource("test", "a", "gpt-4"),
            RecordKey.Config.ofResource("test", "gpt-4"),
            RecordKey.Config.ofSystem("test"),
            new RecordKey.Job("test", "1"));
    assertUse(
        new StoreCall.Lookup(keys, /* consistent= */ false),
        Map.of(
            "test/entity a", new Units(1.5, 0),
            "test/resource gpt-4", new Units(0.5, 0),
            "test/system", new Units(1, 0)));
    assertUse(
        new StoreCall.Lookup(keys.subList(0, 3), /* consistent= */ true),
        Map.of("test/entity a", new Units(3, 0)));
  }

  @Test
  void of_transaction_isTwoUnitsAWrite() {
    assertUse(
        new StoreCall.Transaction(
            List.of(Samples.charge("a")),
            List.of(
                new RecordChange.Check(Samples.entity("a"), 1),
                new RecordChange.Delete(RecordKey.Config.ofEntity("test", "a"), 1),
                new RecordChange.Check(new RecordKey.Schema(), 3)),
            "t"),
        Map.of(
            BUCKET,
            new Units(0, 2),
            "test/entity a",
            new Units(0, 4),
            "_/system",
            new Units(0, 2)));
  }

  @Test
  void of_shards_haveAPartitionEach() {
    assertUse(Samples.resize("a"), Map.of(BUCKET, new Units(0, 1)));
    assertUse(
        Samples.merge("t", "a"),
        Map.of(BUCKET, new Units(0, 2), "test/bucket a gpt-4 1", new Units(0, 2)));
  }

  @Test
  void of_eraseByKeyAndAddress_areTheSamePartition() {
    TablePosition place = TableLayout.of(Samples.bucket("a"));
    ItemAddress address = new ItemAddress(place.partition(), place.sort());
    assertUse(new StoreCall.Erase(List.of(), List.of(address)), Map.of(BUCKET, new Units(0, 1)));
    assertUse(
        new StoreCall.Erase(List.of(Samples.bucket("a")), List.of()),
        Map.of(BUCKET, new Units(0, 1)));
  }

  @Test
  void of_listing_isOfItsIndexButNotOfEverything() {
    assertUse(
        new StoreCall.ListPage(new Listing.Roots("test"), 10, null),
        Map.of("roots test", new Units(0.5, 0)));
    assertUse(new StoreCall.ListPage(new Listing.AllItems(), 10, null), Map.of());
    assertUse(new StoreCall.ListPage(new Listing.BucketsOfNamespace("test"), 10, null), Map.of());
  }
}
