package dev.millrace.server.envoy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.LimiterListener;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What buckets held after their last write, as the store told it. An answer says how much is left,
 * and a lease does not know: asking for it would be a read for every request. The write that
 * charged the request has just told it, so it is remembered for a moment.
 */
public final class SeenBuckets {
  /** Most buckets that are remembered. */
  private static final int MAX_BUCKETS = 50_000;

  /** Older than this is not what a request that was just charged has left. */
  private static final Duration MAX_AGE = Duration.ofSeconds(2);

  private record Key(String namespace, String entity, String resource) {}

  private final Cache<Key, BucketState> states;

  /** Remembers nothing yet. */
  public SeenBuckets() {
    Executor here = Runnable::run;
    this.states =
        Caffeine.newBuilder()
            .maximumSize(MAX_BUCKETS)
            .expireAfterWrite(MAX_AGE)
            .executor(here)
            .build();
  }

  /** Hears what the limiter of a namespace writes; keys have its id, requests its name. */
  public LimiterListener in(String namespace) {
    return new LimiterListener() {
      @Override
      public void onStoreCall(StoreCall call, StoreReply reply, long elapsedNanos) {
        if (reply instanceof StoreReply.Applied applied) {
          BucketState state = applied.state();
          states.put(new Key(namespace, state.key().entityId(), state.key().resource()), state);
        }
      }
    };
  }

  /**
   * How the limits of a bucket stood after its last write; nothing when that is not known. Of a
   * divided bucket one shard was seen: the whole is taken to hold as much as that many of it.
   */
  List<Standing> standings(String namespace, String entity, String resource, long nowMs) {
    BucketState state = states.getIfPresent(new Key(namespace, entity, resource));
    List<Standing> standings = new ArrayList<>();
    if (state != null) {
      for (LimitState limit : state.limits()) {
        long milli = limit.balanceMilli(state.share(), state.refilledAtMs(), nowMs);
        long whole = SaturatedMath.multiply(Math.max(0, milli), state.division().level());
        standings.add(Standing.left(limit.limit(), milli < 0 ? milli : whole));
      }
    }
    return standings;
  }
}
