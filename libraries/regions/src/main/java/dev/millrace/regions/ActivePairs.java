package dev.millrace.regions;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.regions.internal.ledger.PeerView;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pairs that a window examines. From the indexes these are all that have a bucket, or limits of
 * their own. Where an {@link ActiveView} sees every write, they are those that were written, those
 * with rights that were ever transferred, because other regions must be informed of these until
 * they have acknowledged, and those that are active elsewhere. Pairs that are left out are
 * unchanged and irrelevant to others: they hold their initial share, and are unused.
 */
final class ActivePairs {
  /** The interval at which all pairs are examined all the same, in case that a write was missed. */
  static final int INDEX_EVERY = 30;

  /** Most pairs with transferred rights; with more of them the indexes are read. */
  static final int MAX_KEPT = 1_000_000;

  private final RegionTable table;
  private final String namespace;
  private final ActiveView view;
  private final Set<SharedPair> kept = new HashSet<>();

  private @Nullable RegionSite lastSite;
  private int windows;
  private boolean whole;

  ActivePairs(RegionTable table, String namespace, ActiveView view) {
    this.table = table;
    this.namespace = namespace;
    this.view = view;
  }

  /**
   * The pairs of one window.
   *
   * @param here the pairs that exist here. The others, which only appear in snapshots, are not
   *     published: otherwise regions would go on publishing to each other what all have forgotten
   * @param isFromView whether the stream reported them
   */
  record Window(SortedSet<SharedPair> pairs, Set<SharedPair> here, boolean isFromView) {
    boolean isPublished(SharedPair pair, boolean isKept) {
      return isKept || here.contains(pair);
    }
  }

  /** The pairs of this window. It counts as missed until {@link #finished}. */
  Window begin(RegionSite site, Set<String> resources, PeerView peers) {
    Set<BucketKey> seen = view.drain();
    boolean known =
        whole && windows < INDEX_EVERY && kept.size() < MAX_KEPT && site.equals(lastSite);
    whole = false;
    lastSite = site;
    boolean fromView = seen != null && known;
    windows = fromView ? windows + 1 : 0;
    Set<SharedPair> here = fromView ? written(seen, resources) : listed(resources);
    SortedSet<SharedPair> pairs = new TreeSet<>(here);
    for (SharedPair pair : kept) {
      if (resources.contains(pair.resource())) {
        pairs.add(pair);
      }
    }
    peers.forEachActive(
        key -> {
          if (resources.contains(key.resource())) {
            pairs.add(new SharedPair(namespace, key.entityId(), key.resource()));
          }
        });
    return new Window(pairs, here, fromView);
  }

  void done(SharedPair pair, boolean isKept) {
    if (isKept) {
      kept.add(pair);
    } else {
      kept.remove(pair);
    }
  }

  /**
   * Records that all pairs of the window were examined; those that failed are {@link #done} as
   * kept.
   */
  void finished() {
    whole = true;
  }

  private Set<SharedPair> written(@Nullable Set<BucketKey> seen, Set<String> resources) {
    Set<SharedPair> pairs = new HashSet<>();
    for (BucketKey key : seen == null ? Set.<BucketKey>of() : seen) {
      if (key.namespace().equals(namespace) && resources.contains(key.resource())) {
        pairs.add(new SharedPair(namespace, key.entityId(), key.resource()));
      }
    }
    return pairs;
  }

  private Set<SharedPair> listed(Set<String> resources) {
    Set<SharedPair> pairs = new HashSet<>();
    for (String resource : resources) {
      table.list(
          new Listing.BucketsOfResource(namespace, resource),
          entry -> {
            if (entry instanceof ListEntry.Bucket bucket) {
              pairs.add(new SharedPair(namespace, bucket.key().entityId(), resource));
            }
          });
      table.list(
          new Listing.ConfiguredEntities(namespace, resource),
          entry -> {
            if (entry instanceof ListEntry.Entity entity) {
              pairs.add(new SharedPair(namespace, entity.entityId(), resource));
            }
          });
    }
    return pairs;
  }
}
