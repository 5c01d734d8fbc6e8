package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.Page;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listings of buckets, page by page. A bucket is on the page of its first shard, with all its
 * shards, wherever the index has them. So a page never ends between two shards of a bucket.
 */
public final class BucketPages {
  private BucketPages() {}

  /** A page of the buckets of a resource. */
  public static Page<BucketReport> ofResource(
      NamespaceScope scope, String resource, int pageSize, @Nullable String cursor) {
    return of(scope, new Listing.BucketsOfResource(scope.id(), resource), pageSize, cursor);
  }

  /** A page of any listing of buckets. */
  public static Page<BucketReport> of(
      NamespaceScope scope, Listing listing, int pageSize, @Nullable String cursor) {
    StoreReply.Page page = scope.calls().list(listing, ListingPages.requireSize(pageSize), cursor);
    List<BucketKey> keys = new ArrayList<>();
    page.entries().forEach(entry -> keys.add(((ListEntry.Bucket) entry).key()));
    long nowMs = scope.tools().nowMs();
    List<BucketReport> buckets = new ArrayList<>();
    for (List<BucketState> shards : ShardReads.ofFirst(scope, keys)) {
      buckets.add(BucketTotals.of(shards, nowMs));
    }
    return new Page<>(buckets, page.cursor());
  }
}
