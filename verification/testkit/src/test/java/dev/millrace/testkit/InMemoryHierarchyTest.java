package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.directory.ConfigRecord;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.internal.contract.ContractRecords;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Counting children under a version, and what is listed of a whole namespace. */
class InMemoryHierarchyTest {
  private static final RecordKey.Entity TEAM = new RecordKey.Entity("test", "team");
  private static final LimitSet LIMITS = LimitSet.of(Limit.perMinute("rpm", 100));

  private final InMemoryStore store = new InMemoryStore();

  @Test
  void addChildren_otherVersion_isRefused() {
    store.put(
        new EntityRecord(
            TEAM, 7, "", null, List.of(), false, false, Map.of(), /* createdAtMs= */ 1, 2));

    assertThat(count(new RecordChange.AddChildren(TEAM, 1, 6)))
        .isInstanceOf(StoreReply.Cancelled.class);
    assertThat(count(new RecordChange.AddChildren(TEAM, 1, 7)))
        .isInstanceOf(StoreReply.Committed.class);
    assertThat(count(new RecordChange.AddChildren(TEAM, 1)))
        .isInstanceOf(StoreReply.Committed.class);

    EntityRecord after = (EntityRecord) Objects.requireNonNull(store.record(TEAM));
    assertThat(after.children()).isEqualTo(4);
    assertThat(after.version()).isEqualTo(7);
  }

  @Test
  void bucketsOfNamespace_manyNamespaces_listsAllOfOne() {
    for (String namespace : List.of("a", "a-b", "b")) {
      for (String resource : List.of("x", "y")) {
        create(new BucketKey(namespace, "e", resource, 0));
      }
    }
    create(new BucketKey("a", "e", "x", 1));

    StoreReply.Page first = page(null);
    StoreReply.Page second = page(first.cursor());

    assertThat(first.entries())
        .containsExactly(
            new ListEntry.Bucket(new BucketKey("a", "e", "x", 0)),
            new ListEntry.Bucket(new BucketKey("a", "e", "x", 1)));
    assertThat(second.entries())
        .containsExactly(new ListEntry.Bucket(new BucketKey("a", "e", "y", 0)));
    assertThat(second.cursor()).isNull();
  }

  @Test
  void usageOfEntity_recordAndConfigs_areNotInIt() {
    store.put(new EntityRecord(TEAM, 7, "", null, List.of(), false, false, Map.of(), 1, 2));
    store.put(ConfigRecord.empty(RecordKey.Config.ofEntity("test", "team")).withLimits(LIMITS));

    StoreCall call = new StoreCall.ListPage(new Listing.UsageOfEntity("test", "team"), 5, null);

    assertThat(((StoreReply.Page) store.execute(call, 1_000)).entries()).isEmpty();
  }

  @Test
  void namespaceOfNone_eventsAndJobs_areListed() {
    for (Listing listing :
        List.of(
            new Listing.Jobs("_"),
            new Listing.AuditOfNamespace("_", "", ""),
            new Listing.AuditOfSubject("_", "$NAMESPACE:a", "", ""))) {
      assertThat(store.execute(new StoreCall.ListPage(listing, 2, null), 1_000))
          .isInstanceOf(StoreReply.Page.class);
    }
  }

  private StoreReply count(RecordChange.AddChildren change) {
    String token = "version " + change.expectedVersion();
    return store.execute(new StoreCall.Transaction(List.of(), List.of(change), token), 1_000);
  }

  private void create(BucketKey key) {
    store.execute(new StoreCall.Write(new WritePlan.Create(ContractRecords.full(key))), 1_000);
  }

  private StoreReply.Page page(@Nullable String cursor) {
    return (StoreReply.Page)
        store.execute(
            new StoreCall.ListPage(new Listing.BucketsOfNamespace("a"), 2, cursor), 1_000);
  }
}
