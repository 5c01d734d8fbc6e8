package dev.millrace.admin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the buckets of a resource, each with all its shards.
 *
 * @param buckets by entity; may be fewer than requested, or none
 * @param totals of the buckets of this page
 * @param cursor the cursor of the next page, null when this is the last
 */
public record CapacityPage(
    List<BucketReport> buckets, CapacityTotals totals, @Nullable String cursor) {
  /** Copies the buckets. */
  public CapacityPage {
    buckets = List.copyOf(buckets);
  }
}
