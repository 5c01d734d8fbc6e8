package dev.millrace.admin.internal;

import dev.millrace.admin.BucketView;
import dev.millrace.admin.Page;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.directory.ListEntry;
import dev.millrace.core.directory.Listing;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of a resource, page by page. Only first shards are taken from the index; they tell of
 * the others, which are read by their keys. So a page never ends between two shards of a bucket.
 */
public final class BucketPages {
  private BucketPages() {}

  /** A page. */
  public static Page<BucketView> ofResource(
      Scope scope, String resource, int pageSize, @Nullable String cursor) {
    Listing listing = new Listing.BucketsOfResource(scope.id(), resource);
    StoreReply.Page page = scope.calls().list(listing, Listings.requireSize(pageSize), cursor);
    List<BucketKey> first = new ArrayList<>();
    for (ListEntry entry : page.entries()) {
      BucketKey key = ((ListEntry.Bucket) entry).key();
      if (key.shard() == 0) {
        first.add(key);
      }
    }
    Map<BucketKey, BucketState> states = scope.calls().readAll(first);
    List<BucketView> buckets = new ArrayList<>();
    for (BucketKey key : first) {
      BucketState state = states.get(key);
      if (state != null) {
        buckets.add(Balances.of(scope, state));
      }
    }
    return new Page<>(buckets, page.cursor());
  }
}
