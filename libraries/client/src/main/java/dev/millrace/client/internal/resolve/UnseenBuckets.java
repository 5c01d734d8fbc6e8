package dev.millrace.client.internal.resolve;

import dev.millrace.BucketKey;
import dev.millrace.client.internal.mirror.Mirror;
import dev.millrace.client.internal.mirror.MirroredBucket;
import dev.millrace.core.internal.protocol.BucketSnapshot;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The buckets that were never seen and are read beside the records about them, so that it takes no
 * round trip more to draw on them.
 */
public final class UnseenBuckets {
  private final Mirror mirror;
  private final Set<BucketKey> added = new HashSet<>();
  private final List<BucketKey> next = new ArrayList<>();

  public UnseenBuckets(Mirror mirror) {
    this.mirror = mirror;
  }

  /** Adds a bucket to the next look, once, if it was never seen; those that are too many wait. */
  public void add(BucketKey key) {
    if (mirror.bucket(key).snapshot() == null
        && next.size() < StoreCall.ReadAll.MAX_KEYS
        && added.add(key)) {
      next.add(key);
    }
  }

  /** What is to be read now. */
  public List<BucketKey> take() {
    List<BucketKey> taken = List.copyOf(next);
    next.clear();
    return taken;
  }

  /** Learns from the answer; what is not answered the commit will ask, and say what is wrong. */
  public void learn(List<BucketKey> buckets, StoreReply reply, long nowMs) {
    if (reply instanceof StoreReply.Found || reply instanceof StoreReply.FoundAll) {
      for (BucketKey key : buckets) {
        BucketState state = Mirror.stateIn(reply, key);
        if (state == null) {
          mirror.bucket(key).sawNone(nowMs);
        } else {
          MirroredBucket bucket = mirror.bucket(key);
          bucket.clock().saw(state.refilledAtMs());
          bucket.sawAside(BucketSnapshot.of(state, bucket.nowMs()), Long.MIN_VALUE);
        }
      }
    }
  }
}
