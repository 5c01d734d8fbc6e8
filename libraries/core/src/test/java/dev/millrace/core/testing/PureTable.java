package dev.millrace.core.testing;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.PlanEffect;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Cancelled.Cause;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Many buckets, single writes and transactions: a table in a few lines, as {@link PureStore} is.
 */
public final class PureTable {
  private final Map<BucketKey, BucketState> buckets = new HashMap<>();
  private final Set<String> tokens = new HashSet<>();

  /** Puts a bucket there, whatever was. */
  public void put(BucketState state) {
    buckets.put(state.key(), state);
  }

  /** The bucket as it is. */
  public @Nullable BucketState get(BucketKey key) {
    return buckets.get(key);
  }

  /** The shards of the bucket of {@code key}, in the order of their numbers. */
  public List<BucketState> shards(BucketKey key) {
    return buckets.values().stream()
        .filter(state -> state.key().isShardOf(key))
        .sorted(Comparator.comparingInt(state -> state.key().shard()))
        .toList();
  }

  /** How many transactions were made. */
  public int transactions() {
    return tokens.size();
  }

  /** Executes a call on buckets. */
  public StoreReply execute(StoreCall call) {
    if (call instanceof StoreCall.Read read) {
      return new StoreReply.Found(buckets.get(read.key()), Receipt.NONE);
    }
    if (call instanceof StoreCall.ReadAll readAll) {
      Map<BucketKey, BucketState> found = new HashMap<>(buckets);
      found.keySet().retainAll(readAll.keys());
      return new StoreReply.FoundAll(found, Receipt.NONE);
    }
    if (call instanceof StoreCall.Write write) {
      StoreReply reply = PureStore.execute(buckets.get(write.key()), write.plan());
      if (reply instanceof StoreReply.Applied applied) {
        put(applied.state());
      }
      return reply;
    }
    return execute((StoreCall.Transaction) call);
  }

  private StoreReply execute(StoreCall.Transaction transaction) {
    if (tokens.contains(transaction.token())) {
      return new StoreReply.Committed(Receipt.NONE);
    }
    List<Cause> causes = new ArrayList<>();
    boolean refused = false;
    for (WritePlan plan : transaction.plans()) {
      BucketState met = buckets.get(plan.key());
      boolean accepts = PlanEffect.accepts(met, plan);
      causes.add(accepts ? Cause.NONE : new Cause(true, met, null));
      refused |= !accepts;
    }
    if (refused) {
      return new StoreReply.Cancelled(causes, Receipt.NONE);
    }
    for (WritePlan plan : transaction.plans()) {
      // A plan that takes its bucket away leaves none.
      buckets.compute(plan.key(), (key, met) -> PlanEffect.apply(met, plan));
    }
    tokens.add(transaction.token());
    return new StoreReply.Committed(Receipt.NONE);
  }
}
