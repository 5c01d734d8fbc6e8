package dev.millrace.regions.sync;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.directory.ListEntry;
import dev.millrace.core.directory.Listing;
import dev.millrace.regions.peers.PeerView;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which pairs a window looks at. From the indexes these are all that have a bucket, or limits of
 * their own. Where an {@link ActiveView} sees every write, they are those that were written, those
 * of which rights have ever changed hands, because others must be told of these until they have
 * heard, and those that are active elsewhere. What is left out is as it was, and nobody needs to
 * know: it holds what it began with, and nobody uses it.
 */
final class ActivePairs {
  /** So often all pairs are looked at all the same, in case that something was missed. */
  static final int INDEX_EVERY = 30;

  /** Most pairs with rights that changed hands; with more of them the indexes are asked. */
  static final int MAX_KEPT = 1_000_000;

  private final Table table;
  private final String namespace;
  private final ActiveView view;
  private final Set<Pair> kept = new HashSet<>();

  private @Nullable Site lastSite;
  private int windows;
  private boolean whole;

  ActivePairs(Table table, String namespace, ActiveView view) {
    this.table = table;
    this.namespace = namespace;
    this.view = view;
  }

  /**
   * Those of one window.
   *
   * @param here those that are something here. Of the others, which are only heard of, nobody is
   *     told: otherwise regions would go on telling each other of what all have forgotten
   * @param isFromView whether the stream told them
   */
  record Window(SortedSet<Pair> pairs, Set<Pair> here, boolean isFromView) {
    /** Whether others are to be told of a pair. */
    boolean isTold(Pair pair, boolean isKept) {
      return isKept || here.contains(pair);
    }
  }

  /** The pairs of this window. It counts as missed until {@link #finished}. */
  Window begin(Site site, Set<String> resources, PeerView peers) {
    Set<BucketKey> seen = view.drain();
    boolean known =
        whole && windows < INDEX_EVERY && kept.size() < MAX_KEPT && site.equals(lastSite);
    whole = false;
    lastSite = site;
    boolean fromView = seen != null && known;
    windows = fromView ? windows + 1 : 0;
    Set<Pair> here = fromView ? written(seen, resources) : listed(resources);
    SortedSet<Pair> pairs = new TreeSet<>(here);
    for (Pair pair : kept) {
      if (resources.contains(pair.resource())) {
        pairs.add(pair);
      }
    }
    peers.forEachActive(
        key -> {
          if (resources.contains(key.resource())) {
            pairs.add(new Pair(namespace, key.entityId(), key.resource()));
          }
        });
    return new Window(pairs, here, fromView);
  }

  /** A pair was looked at. */
  void done(Pair pair, boolean isKept) {
    if (isKept) {
      kept.add(pair);
    } else {
      kept.remove(pair);
    }
  }

  /** All pairs of the window were come to; those that failed are {@link #done} as kept. */
  void finished() {
    whole = true;
  }

  private Set<Pair> written(@Nullable Set<BucketKey> seen, Set<String> resources) {
    Set<Pair> pairs = new HashSet<>();
    for (BucketKey key : seen == null ? Set.<BucketKey>of() : seen) {
      if (key.namespace().equals(namespace) && resources.contains(key.resource())) {
        pairs.add(new Pair(namespace, key.entityId(), key.resource()));
      }
    }
    return pairs;
  }

  private Set<Pair> listed(Set<String> resources) {
    Set<Pair> pairs = new HashSet<>();
    for (String resource : resources) {
      table.list(
          new Listing.BucketsOfResource(namespace, resource),
          entry -> {
            if (entry instanceof ListEntry.Bucket bucket) {
              pairs.add(new Pair(namespace, bucket.key().entityId(), resource));
            }
          });
      table.list(
          new Listing.ConfiguredEntities(namespace, resource),
          entry -> {
            if (entry instanceof ListEntry.Entity entity) {
              pairs.add(new Pair(namespace, entity.entityId(), resource));
            }
          });
    }
    return pairs;
  }
}
