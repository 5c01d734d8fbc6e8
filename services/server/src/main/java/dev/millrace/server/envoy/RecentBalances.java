package dev.millrace.server.envoy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.AsyncStore;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.server.envoy.DescriptorDecision.LimitBalance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The states of buckets after their latest writes, as the store returned them. An answer has the
 * balance after its charge, and a lease does not have it: a read for every request would be needed.
 * The write of the charge has just returned it, so it is kept for a moment.
 */
final class RecentBalances {
  private static final int MAX_BUCKETS = 50_000;

  /** Older states are not the result of a charge just made. */
  private static final Duration MAX_AGE = Duration.ofSeconds(2);

  private record Key(String namespace, String entity, String resource) {}

  private final Cache<Key, BucketState> states =
      Caffeine.newBuilder()
          .maximumSize(MAX_BUCKETS)
          .expireAfterWrite(MAX_AGE)
          .executor(Runnable::run)
          .build();

  /**
   * The store of the limiter of a namespace, observed; bucket keys have the namespace's id, not its
   * name.
   *
   * @param store must be asynchronous too
   */
  BlockingStore over(String namespace, BlockingStore store) {
    return new ObservedStore(namespace, store, (AsyncStore) store);
  }

  private final class ObservedStore implements BlockingStore, AsyncStore {
    private final String namespace;
    private final BlockingStore blocking;
    private final AsyncStore async;

    ObservedStore(String namespace, BlockingStore blocking, AsyncStore async) {
      this.namespace = namespace;
      this.blocking = blocking;
      this.async = async;
    }

    @Override
    public StoreReply execute(StoreCall call, long timeoutMs) {
      return observed(blocking.execute(call, timeoutMs));
    }

    @Override
    public CompletionStage<StoreReply> executeAsync(StoreCall call, long timeoutMs) {
      return async.executeAsync(call, timeoutMs).thenApply(this::observed);
    }

    private StoreReply observed(StoreReply reply) {
      if (reply instanceof StoreReply.Applied applied) {
        BucketState state = applied.state();
        states.put(new Key(namespace, state.key().entityId(), state.key().resource()), state);
      }
      return reply;
    }
  }

  /**
   * The balances of a bucket after its latest write; none when it is not known. Of a sharded bucket
   * the state is that of one shard, and all others are assumed to hold as much.
   */
  List<LimitBalance> of(String namespace, String entity, String resource, long nowMs) {
    BucketState state = states.getIfPresent(new Key(namespace, entity, resource));
    return state == null
        ? List.of()
        : state.limits().stream().map(limit -> balance(state, limit, nowMs)).toList();
  }

  private static LimitBalance balance(BucketState state, LimitState limit, long nowMs) {
    long milli = limit.balanceMilli(state.share(), state.refilledAtMs(), nowMs);
    long whole = SaturatedMath.multiply(Math.max(0, milli), state.division().level());
    return LimitBalance.remaining(limit.limit(), milli < 0 ? milli : whole);
  }
}
