package dev.millrace.testkit.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.EntityRecord;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordChange;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.StoreContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The part of {@link StoreContract} about pages and their cursors. */
public interface PagingContract extends StoreUnderTest {
  /** Entities in the listings below. */
  int ENTITIES = 10;

  /** A namespace with {@link #ENTITIES} roots, all of which can be listed. */
  private static ContractRecords given(StoreUnderTest store, StorePort driver) {
    ContractRecords records = new ContractRecords(store, driver);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      records.given(records.entity("e" + i, 1, null, 0));
      ids.add("e" + i);
    }
    records.assertListed(new Listing.Roots(records.namespace()), ids.toArray(String[]::new));
    return records;
  }

  private static String cursor(StoreReply.Page page) {
    return Objects.requireNonNull(page.cursor(), "a page that is not the last has a cursor");
  }

  @ParameterizedTest
  @EnumSource
  default void page_nothingToList_isEmptyAndTheLast(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    StoreReply.Page page = records.page(new Listing.Roots(records.namespace()), 5, null);
    assertThat(page.entries()).isEmpty();
    assertThat(page.cursor()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  default void page_otherSizeEachTime_goesOnWhereItEnded(StorePort driver) {
    ContractRecords records = given(this, driver);
    Listing roots = new Listing.Roots(records.namespace());
    List<ListEntry> listed = new ArrayList<>();
    StoreReply.Page page = records.page(roots, 1, null);
    listed.addAll(page.entries());
    for (int pageSize = 2; page.cursor() != null && pageSize <= ENTITIES; pageSize++) {
      page = records.page(roots, pageSize, page.cursor());
      listed.addAll(page.entries());
    }
    assertThat(page.cursor()).isNull();
    assertThat(listed).isEqualTo(records.list(roots, 1_000));
  }

  @ParameterizedTest
  @EnumSource
  default void page_sameCursorAgain_isTheSamePage(StorePort driver) {
    ContractRecords records = given(this, driver);
    Listing roots = new Listing.Roots(records.namespace());
    String cursor = cursor(records.page(roots, 3, null));
    StoreReply.Page page = records.page(roots, 3, cursor);
    assertThat(records.page(roots, 3, cursor).entries()).isEqualTo(page.entries()).hasSize(3);
  }

  /** Whoever deletes what a page has shown still sees all of the rest. */
  @ParameterizedTest
  @EnumSource
  default void page_shownOnesDeletedMeanwhile_losesNothing(StorePort driver) {
    ContractRecords records = given(this, driver);
    Listing roots = new Listing.Roots(records.namespace());
    List<ListEntry> listed = new ArrayList<>();
    String cursor = null;
    int pages = 0;
    do {
      StoreReply.Page page = records.page(roots, 3, cursor);
      for (ListEntry entry : page.entries()) {
        String entityId = ((ListEntry.Entity) entry).entityId();
        records.given(new RecordChange.Delete(records.entity(entityId), 1));
      }
      listed.addAll(page.entries());
      cursor = page.cursor();
      pages++;
    } while (cursor != null && pages <= ENTITIES);
    assertThat(listed).hasSize(ENTITIES).doesNotHaveDuplicates();
    records.assertListed(roots, new EntityRecord[0]);
  }

  @ParameterizedTest
  @EnumSource
  default void page_cursorOfAnotherListing_isAMistake(StorePort driver) {
    ContractRecords records = given(this, driver);
    String namespace = records.namespace();
    String cursor = cursor(records.page(new Listing.Roots(namespace), 3, null));
    for (Listing other :
        List.of(
            new Listing.Roots(namespace + "-2"),
            new Listing.Children(namespace, "e0"),
            new Listing.DefaultedEntities(namespace),
            new Listing.ItemsOfEntity(namespace, "e0"),
            new Listing.AuditOfNamespace(namespace, "", ""),
            new Listing.BucketsOfNamespace(namespace),
            new Listing.Namespaces(),
            new Listing.AllItems())) {
      records.assertMistake(new StoreCall.ListPage(other, 3, cursor));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void page_cursorOfEverything_isNoCursorOfOneNamespace(StorePort driver) {
    ContractRecords records = given(this, driver);
    BucketKey other = records.bucket("b", "gpt-4", 0);
    BucketKey first = records.bucket("a", "gpt-4", 0);
    BucketKey second = records.bucket("a", "gpt-5", 0);
    records.given(first, second, other);
    records.assertListed(new Listing.BucketsOfEntity(records.namespace(), "a"), first, second);
    String cursor = cursor(records.page(new Listing.AllItems(), 1, null));
    records.assertMistake(new StoreCall.ListPage(new Listing.Namespaces(), 1, cursor));
    records.assertMistake(
        new StoreCall.ListPage(new Listing.BucketsOfNamespace(records.namespace()), 1, cursor));
    String buckets =
        cursor(records.page(new Listing.BucketsOfEntity(records.namespace(), "a"), 1, null));
    records.assertMistake(
        new StoreCall.ListPage(
            new Listing.BucketsOfEntity(records.namespace(), other.entityId()), 1, buckets));
  }

  @ParameterizedTest
  @EnumSource
  default void page_cursorThatIsNone_isAMistake(StorePort driver) {
    ContractRecords records = given(this, driver);
    Listing roots = new Listing.Roots(records.namespace());
    String cursor = cursor(records.page(roots, 3, null));
    for (String broken :
        List.of("", " ", "x", "%%%", "e3", "AAAA", cursor.substring(1), "A" + cursor, "{}")) {
      records.assertMistake(new StoreCall.ListPage(roots, 3, broken));
    }
  }

  @ParameterizedTest
  @EnumSource
  default void page_sizeBelowOne_isAMistake(StorePort driver) {
    ContractRecords records = new ContractRecords(this, driver);
    Listing roots = new Listing.Roots(records.namespace());
    records.assertMistake(new StoreCall.ListPage(roots, 0, null));
    records.assertMistake(new StoreCall.ListPage(roots, -1, null));
  }
}
