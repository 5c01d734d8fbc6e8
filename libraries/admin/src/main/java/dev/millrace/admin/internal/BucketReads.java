package dev.millrace.admin.internal;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.admin.BucketReport;
import dev.millrace.admin.Page;
import dev.millrace.admin.ShardView;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.internal.protocol.ShardReadProtocol;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.ListEntry;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads of buckets with all their shards, and the sums over them, which equal the undivided bucket.
 * Shards are read one by one, so during splits and merges a part of a bucket may be seen twice or
 * not at all. But the levels of the shards tell whether they are the whole bucket, and until they
 * are, they are read again.
 */
public final class BucketReads {
  /** Most reads of a bucket until it is whole. */
  static final int MAX_READS = 4;

  private BucketReads() {}

  /** The bucket to which {@code first} belongs, null when there is none. */
  public static @Nullable BucketReport find(NamespaceScope scope, BucketKey first) {
    List<BucketState> shards = shards(scope, first, /* believed= */ 1);
    return shards.isEmpty() ? null : report(shards, scope.nowMs());
  }

  /** The shards, one by one, of the bucket to which {@code first} belongs. */
  public static List<ShardView> shardViews(NamespaceScope scope, BucketKey first) {
    long nowMs = scope.nowMs();
    List<ShardView> views = new ArrayList<>();
    for (BucketState shard : shards(scope, first, /* believed= */ 1)) {
      List<ShardView.Part> parts = new ArrayList<>();
      for (LimitState state : shard.limits()) {
        parts.add(
            new ShardView.Part(
                state.name(),
                state.ceilingMilli(shard.share()),
                state.balanceMilli(shard.share(), shard.refilledAtMs(), nowMs),
                state.consumedMilli()));
      }
      views.add(new ShardView(shard.key().shard(), shard.division().level(), parts));
    }
    return views;
  }

  /**
   * A page of a listing of buckets. A bucket is on the page of its first shard, with all its
   * shards, wherever the index has them. So a page never ends between two shards of a bucket.
   */
  public static Page<BucketReport> page(
      NamespaceScope scope, Listing listing, int pageSize, @Nullable String cursor) {
    StoreReply.Page page = scope.list(listing, ListingPages.requireSize(pageSize), cursor);
    long nowMs = scope.nowMs();
    return new Page<>(
        ofFirst(scope, keys(page)).stream().map(shards -> report(shards, nowMs)).toList(),
        page.cursor());
  }

  static List<BucketKey> keys(StoreReply.Page page) {
    return page.entries().stream().map(entry -> ((ListEntry.Bucket) entry).key()).toList();
  }

  /**
   * All shards of a bucket in the order of their numbers, none when there is no bucket. A part that
   * is missing on every read does not exist: the bucket is being deleted. Then the result is the
   * remaining parts.
   *
   * @param believed the expected number of shards
   */
  static List<BucketState> shards(NamespaceScope scope, BucketKey key, int believed) {
    for (int reads = 1; ; reads++) {
      List<BucketState> shards = scope.calls().ask(ShardReadProtocol.start(key, believed)).shards();
      if (shards.isEmpty() || areAll(shards) || reads == MAX_READS) {
        return shards;
      }
      scope.tools().retry.backOff(reads);
    }
  }

  /** Whether these shards hold every part of their bucket exactly once. */
  static boolean areAll(List<BucketState> shards) {
    int rests = 1;
    for (BucketState shard : shards) {
      rests = Math.max(rests, shard.division().level());
    }
    BitSet held = new BitSet(rests);
    for (BucketState shard : shards) {
      int level = shard.division().level();
      for (int rest = shard.key().shard(); rest < rests; rest += level) {
        if (held.get(rest)) {
          return false;
        }
        held.set(rest);
      }
    }
    return held.cardinality() == rests;
  }

  /**
   * The buckets of a page of an index. A bucket whose first shard is on the page has all its
   * shards, also those that are on other pages or that the index does not show yet. Of any other
   * bucket it has the shards on the page: the others come with its first shard.
   *
   * @param keys each once
   */
  static List<List<BucketState>> ofPage(NamespaceScope scope, List<BucketKey> keys) {
    Map<BucketKey, BucketState> states = scope.calls().readAll(keys);
    Map<BucketKey, List<BucketState>> buckets = new LinkedHashMap<>();
    for (BucketKey key : keys) {
      BucketState state = states.get(key);
      if (state != null) {
        buckets.computeIfAbsent(key.withShard(0), first -> new ArrayList<>()).add(state);
      }
    }
    List<List<BucketState>> complete = new ArrayList<>(buckets.size());
    for (List<BucketState> shards : buckets.values()) {
      shards.sort(Comparator.comparing(shard -> shard.key().shard()));
      BucketState first = shards.get(0);
      boolean enough = first.key().shard() != 0 || areAll(shards);
      complete.add(enough ? shards : shards(scope, first.key(), first.division().level()));
    }
    complete.removeIf(List::isEmpty); // gone meanwhile
    return complete;
  }

  /** The buckets whose first shard is among {@code keys}, each with all its shards. */
  static List<List<BucketState>> ofFirst(NamespaceScope scope, List<BucketKey> keys) {
    Set<BucketKey> there = new HashSet<>(keys);
    List<BucketKey> own = keys.stream().filter(key -> there.contains(key.withShard(0))).toList();
    List<List<BucketState>> buckets = ofPage(scope, own);
    buckets.removeIf(shards -> shards.get(0).key().shard() != 0);
    return buckets;
  }

  static BucketReport report(List<BucketState> shards, long nowMs) {
    BucketState first = shards.get(0);
    return new BucketReport(
        first.key().entityId(),
        first.key().resource(),
        shards.size(),
        first.shardCount(),
        first.stamp(),
        sums(shards, nowMs));
  }

  /** Each limit, in the order of their names. */
  static List<BucketReport.Balance> sums(List<BucketState> shards, long nowMs) {
    List<BucketReport.Balance> sums = new ArrayList<>();
    for (Limit limit : limits(shards)) {
      long availableMilli = 0;
      long consumedMilli = 0;
      for (BucketState shard : shards) {
        LimitState stored = shard.find(limit.name());
        ShardShare share = shard.share();
        // A limit that a shard does not have yet would start full there.
        long heldMilli = share.partOf(limit.burstMilli());
        if (stored != null) {
          long balanceMilli = stored.balanceMilli(share, shard.refilledAtMs(), nowMs);
          heldMilli = Math.min(heldMilli, balanceMilli);
          consumedMilli = SaturatedMath.add(consumedMilli, stored.consumedMilli());
        }
        availableMilli = SaturatedMath.add(availableMilli, heldMilli);
      }
      sums.add(new BucketReport.Balance(limit, availableMilli, consumedMilli));
    }
    return sums;
  }

  /** The limits of all shards; where they differ, those of the latest change. */
  private static Collection<Limit> limits(List<BucketState> shards) {
    Map<String, Limit> limits = new TreeMap<>();
    ConfigStamp latest = ConfigStamp.CALL;
    for (BucketState shard : shards) {
      boolean later = shard.stamp().isAtLeast(latest);
      latest = later ? shard.stamp() : latest;
      for (LimitState state : shard.limits()) {
        limits.merge(state.name(), state.limit(), (first, second) -> later ? second : first);
      }
    }
    return limits.values();
  }
}
