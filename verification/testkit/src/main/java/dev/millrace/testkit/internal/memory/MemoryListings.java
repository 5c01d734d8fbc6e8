package dev.millrace.testkit.internal.memory;

import dev.millrace.core.spi.directory.ItemAddress;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * The listings of a {@link MemoryTable}, page by page. A page goes on after the last place that was
 * looked at, so what is written or deleted meanwhile neither hides nor repeats anything else. As in
 * DynamoDB, a full page always has a cursor: whether anything follows is known only when it was
 * looked for.
 */
public final class MemoryListings {
  /**
   * A page.
   *
   * @param cursor where the next one begins, null when this is the last
   */
  public record Result(List<ListEntry> entries, @Nullable String cursor) {}

  private final MemoryTable table;

  public MemoryListings(MemoryTable table) {
    this.table = table;
  }

  public Result page(StoreCall.ListPage call) {
    Listing listing = call.listing();
    ListRange range = ListRange.of(listing);
    TablePosition after =
        call.cursor() == null ? null : PageCursor.parse(call.cursor(), listing, range);
    if (range.from().compareTo(range.to()) > 0) {
      return new Result(List.of(), null);
    }
    NavigableMap<TablePosition, TableEntry> places =
        (range.indexed() ? table.indexes() : table.items())
            .subMap(range.from(), true, range.to(), true);
    places = range.newestFirst() ? places.descendingMap() : places;
    places = after == null ? places : places.tailMap(after, false);
    List<ListEntry> entries = new ArrayList<>();
    int looked = 0;
    for (Map.Entry<TablePosition, TableEntry> each : places.entrySet()) {
      ListEntry entry = entry(listing, each.getValue());
      if (entry != null) {
        entries.add(entry);
      }
      looked++;
      if (looked == call.pageSize()) {
        return new Result(entries, PageCursor.format(listing, each.getKey()));
      }
    }
    return new Result(entries, null);
  }

  /** What is listed of a thing, null when it has gone meanwhile. */
  private @Nullable ListEntry entry(Listing listing, TableEntry holding) {
    if (holding instanceof TableEntry.OfBucket bucket && !isOfItems(listing)) {
      return new ListEntry.Bucket(bucket.key());
    }
    if (isOfItems(listing)) {
      TablePosition place = holding.place();
      return new ListEntry.Item(
          holding.namespace(), new ItemAddress(place.partition(), place.sort()));
    }
    RecordKey key = ((TableEntry.OfRecord) holding).key();
    if (listing instanceof Listing.ConfiguredEntities
        || listing instanceof Listing.DefaultedEntities) {
      return new ListEntry.Entity(((RecordKey.Config) key).entityId());
    }
    if (key instanceof RecordKey.Entity entity) {
      return new ListEntry.Entity(entity.entityId());
    }
    StoredRecord record = table.record(key);
    return record == null ? null : new ListEntry.Stored(record);
  }

  private static boolean isOfItems(Listing listing) {
    return listing instanceof Listing.AllItems
        || listing instanceof Listing.ItemsOfEntity
        || listing instanceof Listing.UsageOfEntity;
  }
}
