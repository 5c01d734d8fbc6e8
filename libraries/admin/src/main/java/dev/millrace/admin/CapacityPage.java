package dev.millrace.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the buckets of a resource, each with all its shards.
 *
 * @param buckets by entity; may be fewer than asked for, or none
 * @param totals of the buckets of this page
 * @param cursor what to ask the next page with, null when this is the last
 */
public record CapacityPage(
    List<BucketView> buckets, CapacityTotals totals, @Nullable String cursor) {
  /** Keeps the buckets as they are now. */
  public CapacityPage {
    buckets = List.copyOf(buckets);
  }
}
