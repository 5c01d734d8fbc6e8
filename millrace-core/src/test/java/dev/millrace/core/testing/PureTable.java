package dev.millrace.core.testing;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.store.Receipt;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreReply;
import dev.millrace.core.store.StoreReply.Cancelled.Cause;
import java.util.ArrayList;
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
    List<BucketState> after = new ArrayList<>();
    for (WritePlan plan : transaction.plans()) {
      StoreReply reply = PureStore.execute(buckets.get(plan.key()), plan);
      if (reply instanceof StoreReply.Applied applied) {
        after.add(applied.state());
        causes.add(Cause.NONE);
      } else {
        causes.add(new Cause(true, buckets.get(plan.key()), null));
      }
    }
    if (after.size() < transaction.plans().size()) {
      return new StoreReply.Cancelled(causes, Receipt.NONE);
    }
    after.forEach(this::put);
    tokens.add(transaction.token());
    return new StoreReply.Committed(Receipt.NONE);
  }
}
