package dev.millrace.worker.regions;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.AggregatorListener;
import dev.millrace.regions.ActiveView;
import dev.millrace.worker.kcl.StreamListener;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * The buckets that were written, as the aggregator of this worker sees them in the stream.
 *
 * <p>Several workers share a stream, and each sees only the shards that it reads. So the view
 * counts only while this worker reads every shard that is open, and only from when that was found
 * to be so: a shard that came or went since leaves a gap, and so does more than it can remember.
 */
public final class StreamView implements ActiveView, AggregatorListener, StreamListener {
  /** Most buckets that are remembered between two windows; with more the indexes are read. */
  public static final int MAX_BUCKETS = 100_000;

  private final LongSupplier lagMs;
  private final long maxLagMs;
  private final Set<String> taken = new HashSet<>();
  private Supplier<Set<String>> openShards = Set::of;
  private Set<BucketKey> seen = new HashSet<>();
  private boolean gap = true;

  /**
   * One that has seen nothing yet.
   *
   * @param lagMs how far behind the stream is read
   * @param maxLagMs further behind than this the view is too old to be of use
   */
  public StreamView(LongSupplier lagMs, long maxLagMs) {
    this.lagMs = lagMs;
    this.maxLagMs = maxLagMs;
  }

  /** Sets the source of the shards that are open. */
  public synchronized void over(Supplier<Set<String>> shards) {
    openShards = shards;
  }

  @Override
  public synchronized void onBuckets(Collection<BucketKey> keys) {
    keys.forEach(key -> seen.add(key.withShard(0)));
    if (seen.size() > MAX_BUCKETS) {
      seen = new HashSet<>();
      gap = true;
    }
  }

  @Override
  public synchronized void onShardTaken(String shard) {
    taken.add(shard);
    gap = true;
  }

  @Override
  public synchronized void onShardLeft(String shard) {
    taken.remove(shard);
    gap = true;
  }

  @Override
  public @Nullable Set<BucketKey> drain() {
    Set<BucketKey> drained;
    Supplier<Set<String>> shards;
    synchronized (this) {
      drained = seen;
      seen = new HashSet<>();
      shards = openShards;
      if (!gap) {
        return lagMs.getAsLong() > maxLagMs ? null : drained;
      }
      gap = false; // what comes or goes from here on is seen
    }
    Set<String> open = Set.of();
    try {
      open = shards.get();
    } catch (SdkException e) {
      // the next window reads them again
    }
    synchronized (this) {
      gap |= open.isEmpty() || !taken.containsAll(open);
    }
    return null;
  }
}
