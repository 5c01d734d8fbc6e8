package dev.millrace.core.internal.protocol;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that reads all shards of a bucket. How many there are only they themselves tell, so
 * it reads as many as are believed to be there, and goes on when one of them knows of more. Shards
 * are read one by one, so while others split or merge, a part of the bucket may be seen twice or
 * not at all.
 */
public final class ShardReadProtocol {
  /** Most rounds: the bound doubles with each. */
  private static final int MAX_ROUNDS = 17;

  private ShardReadProtocol() {}

  /**
   * What was read.
   *
   * @param shards in the order of their numbers; empty when there is no bucket or the store failed
   * @param readAtMs when the last answer was in
   * @param failure why nothing can be said, null when it can
   */
  public record Result(List<BucketState> shards, long readAtMs, @Nullable StoreFailure failure) {
    /** Keeps the shards as they are now. */
    public Result {
      shards = List.copyOf(shards);
    }

    /** How many there should be, 0 when there is no bucket. */
    public int count() {
      return shards.isEmpty() ? 0 : shards.get(0).shardCount();
    }
  }

  /**
   * Begins.
   *
   * @param key any shard of the bucket
   * @param believed how many shards there are believed to be
   */
  public static Step<Result> start(BucketKey key, int believed) {
    return read(key.withShard(0), 0, Math.max(1, believed), new TreeMap<>(), 1);
  }

  private static Step<Result> read(
      BucketKey first, int from, int to, Map<Integer, BucketState> seen, int round) {
    List<StoreCall> calls = new ArrayList<>(1);
    for (int at = from; at < to; at += StoreCall.ReadAll.MAX_KEYS) {
      calls.add(new StoreCall.ReadAll(keys(first, at, to)));
    }
    return new Step.Ask<>(
        calls,
        (replies, nowMs) -> {
          Map<Integer, BucketState> all = new TreeMap<>(seen);
          for (StoreReply reply : replies) {
            if (!(reply instanceof StoreReply.FoundAll found)) {
              return new Step.Done<>(new Result(List.of(), nowMs, CommitProtocol.failureOf(reply)));
            }
            found.states().forEach((key, state) -> all.put(key.shard(), state));
          }
          int bound = bound(all);
          return bound > to && round < MAX_ROUNDS
              ? read(first, to, bound, all, round + 1)
              : new Step.Done<>(
                  new Result(all.containsKey(0) ? list(all) : List.of(), nowMs, null));
        });
  }

  private static List<BucketKey> keys(BucketKey first, int from, int to) {
    int end = Math.min(to, from + StoreCall.ReadAll.MAX_KEYS);
    List<BucketKey> keys = new ArrayList<>(end - from);
    for (int shard = from; shard < end; shard++) {
      keys.add(first.withShard(shard));
    }
    return keys;
  }

  /** No shard has a number at or above the highest level. */
  private static int bound(Map<Integer, BucketState> seen) {
    int bound = 1;
    for (BucketState state : seen.values()) {
      bound = Math.max(bound, state.division().level());
    }
    return bound;
  }

  private static List<BucketState> list(Map<Integer, BucketState> states) {
    return new ArrayList<>(states.values());
  }
}
