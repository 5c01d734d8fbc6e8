package dev.millrace.admin.internal;

import dev.millrace.admin.Page;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The translation of store pages into pages for users. */
public final class ListingPages {
  private ListingPages() {}

  /** A page of a listing of entities, each with its current record. */
  public static <T extends StoredRecord, V> Page<V> ofEntities(
      NamespaceScope scope,
      Listing listing,
      int pageSize,
      @Nullable String cursor,
      Function<String, RecordKey> key,
      Class<T> type,
      Function<T, @Nullable V> view) {
    StoreReply.Page page = scope.list(listing, requireSize(pageSize), cursor);
    List<RecordKey> keys = new ArrayList<>();
    page.entries().forEach(entry -> keys.add(key.apply(((ListEntry.Entity) entry).entityId())));
    Map<RecordKey, StoredRecord> records = scope.lookup(keys);
    List<V> items = new ArrayList<>();
    for (RecordKey each : keys) {
      add(items, type, view, records.get(each));
    }
    return new Page<>(items, page.cursor());
  }

  public static <T extends StoredRecord, V> Page<V> ofRecords(
      NamespaceScope scope,
      Listing listing,
      int pageSize,
      @Nullable String cursor,
      Class<T> type,
      Function<T, @Nullable V> view) {
    StoreReply.Page page = scope.list(listing, requireSize(pageSize), cursor);
    List<V> items = new ArrayList<>();
    for (ListEntry entry : page.entries()) {
      add(items, type, view, ((ListEntry.Stored) entry).record());
    }
    return new Page<>(items, page.cursor());
  }

  /** Entries that the index still shows and that are gone or changed are left out. */
  private static <T extends StoredRecord, V> void add(
      List<V> items, Class<T> type, Function<T, @Nullable V> view, @Nullable StoredRecord record) {
    V item = type.isInstance(record) ? view.apply(type.cast(record)) : null;
    if (item != null) {
      items.add(item);
    }
  }

  /** Returns {@code pageSize} if it is valid. */
  public static int requireSize(int pageSize) {
    if (pageSize < 1 || pageSize > Page.MAX_SIZE) {
      throw new IllegalArgumentException(
          "pageSize " + pageSize + " must be from 1 to " + Page.MAX_SIZE);
    }
    return pageSize;
  }
}
