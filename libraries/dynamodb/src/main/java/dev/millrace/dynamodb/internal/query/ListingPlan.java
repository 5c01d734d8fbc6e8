package dev.millrace.dynamodb.internal.query;

import dev.millrace.dynamodb.internal.schema.TableIndex;
import org.jspecify.annotations.Nullable;

/** The plan by which a listing is read: a query or a scan. */
public sealed interface ListingPlan {
  /** What its items become. */
  Shape shape();

  /** The namespace that everything in it belongs to, null when it goes over all of them. */
  @Nullable String namespace();

  /** Tells this listing from all others; stays the same for ever, because cursors are kept. */
  String identity();

  /** What items become. */
  enum Shape {
    /** Entities, by their keys alone. */
    ENTITIES,
    /** Buckets, by their keys alone. */
    BUCKETS,
    /** Records, which are read with the listing. */
    RECORDS,
    /** Records of which the listing has the keys only, so that they are read afterwards. */
    INDEXED_RECORDS,
    /** Addresses. */
    ITEMS
  }

  /**
   * A part of one partition.
   *
   * @param index in which index, null for the table itself
   * @param partition the partition key
   * @param sort which sort keys
   * @param newestFirst whether the last sort key comes first
   */
  record Query(
      Shape shape,
      String namespace,
      @Nullable TableIndex index,
      String partition,
      SortRange sort,
      boolean newestFirst)
      implements ListingPlan {
    @Override
    public String identity() {
      // The lengths tell where a part ends: a subject may have whatever would separate them.
      return String.join(
          " ",
          index == null ? "table" : index.indexName(),
          sort.kind().name(),
          String.valueOf(partition.length()),
          String.valueOf(sort.from().length()),
          partition,
          sort.from(),
          sort.to());
    }

    /** Whether nothing can be in it, so that nobody need be asked. */
    public boolean isEmpty() {
      return sort.isEmpty();
    }
  }

  /**
   * The whole table.
   *
   * @param prefix what the partition keys begin with, empty for all
   */
  record Scan(Shape shape, @Nullable String namespace, String prefix) implements ListingPlan {
    @Override
    public String identity() {
      return "scan " + prefix;
    }
  }
}
