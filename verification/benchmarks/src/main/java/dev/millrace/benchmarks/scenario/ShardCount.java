package dev.millrace.benchmarks.scenario;

import dev.millrace.BucketKey;
import dev.millrace.Sharding;
import dev.millrace.core.spi.store.BlockingStore;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** Reads how many shards of a bucket there are, past the limiters. */
final class ShardCount implements IntSupplier {
  private static final long TIMEOUT_MS = 1_000;

  private final BlockingStore store;
  private final StoreCall read;
  private int last = 1;

  ShardCount(BlockingStore store, BucketKey key) {
    List<BucketKey> keys = new ArrayList<>(Sharding.MAX_SHARDS);
    for (int shard = 0; shard < Sharding.MAX_SHARDS; shard++) {
      keys.add(key.withShard(shard));
    }
    this.store = store;
    this.read = new StoreCall.ReadAll(keys);
  }

  /** How many there are; as many as before when the store does not tell. */
  @Override
  public int getAsInt() {
    if (store.execute(read, TIMEOUT_MS) instanceof StoreReply.FoundAll found) {
      last = found.states().size();
    }
    return last;
  }
}
