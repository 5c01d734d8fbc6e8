package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.ops;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.holds;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.ShardBooks;
import dev.millrace.core.testing.Shards;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Reshapings in few words: shards that hold 4 tokens each, of a limit of 60 a minute. */
final class ReshapeCase {
  final PureTable table = new PureTable();
  private final Supplier<String> ops = ops();

  /** A bucket that should have {@code count} shards, with one of each of these levels. */
  static ReshapeCase of(int count, Map<Integer, Integer> levels) {
    ReshapeCase it = new ReshapeCase();
    levels.forEach((shard, level) -> it.table.put(shard(shard, count, level)));
    ShardBooks.checkPartition(it.table.shards(KEY));
    return it;
  }

  static BucketState shard(int shard, int count, int level) {
    return Shards.shard(shard, Division.of(count, level), T, holds(RPM, 4));
  }

  Script<SplitMergeProtocol.Result> begin(int drawn) {
    return Script.of(
        new SplitMergeProtocol(KEY.withShard(drawn), PlanSettings.DEFAULT, ops).start());
  }

  SplitMergeProtocol.Result reshape(int drawn) {
    SplitMergeProtocol.Result result = begin(drawn).finish(table, T);
    ShardBooks.checkPartition(table.shards(KEY));
    return result;
  }

  /** How many shards there should be, from now on. */
  void resize(int believed, int count) {
    if (!Script.of(SplitMergeProtocol.changeCount(KEY, believed, count, ops))
        .finish(table, T)
        .changed()) {
      throw new AssertionError("not resized from " + believed);
    }
  }

  /** The levels of the shards that are there. */
  Map<Integer, Integer> levels() {
    Map<Integer, Integer> levels = new TreeMap<>();
    for (BucketState shard : table.shards(KEY)) {
      levels.put(shard.key().shard(), shard.division().level());
    }
    return levels;
  }

  long tokensMilli() {
    return ShardBooks.storedMilli(table.shards(KEY), "rpm");
  }

  static StoreCall readAll(Integer... shards) {
    return new StoreCall.ReadAll(List.copyOf(Arrays.stream(shards).map(KEY::withShard).toList()));
  }
}
