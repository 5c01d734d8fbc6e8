package dev.millrace.simulator.oracle;

import dev.millrace.core.spi.bucket.BucketState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The oracle's record of one bucket: of each of its shards, and of all of them together. */
final class BucketBook {
  private final Map<Integer, ShardBook> shards = new HashMap<>();
  private final List<WholeLimit> limits = new ArrayList<>();

  /** The book of a shard, which is opened when there is none. */
  ShardBook shard(int shard) {
    return shards.computeIfAbsent(shard, absent -> new ShardBook(this));
  }

  /** The shards that there are. */
  List<BucketState> shards() {
    List<BucketState> present = new ArrayList<>(shards.size());
    for (ShardBook book : shards.values()) {
      BucketState last = book.last();
      if (last != null) {
        present.add(last);
      }
    }
    return present;
  }

  /** The book of a limit of all shards together, looked for first where it is most likely. */
  @Nullable WholeLimit find(int index, String limit) {
    if (index < limits.size() && limits.get(index).name.equals(limit)) {
      return limits.get(index);
    }
    for (int i = 0; i < limits.size(); i++) {
      if (limits.get(i).name.equals(limit)) {
        return limits.get(i);
      }
    }
    return null;
  }

  /** The book of a limit of all shards together, which is opened when there is none. */
  WholeLimit limit(int index, String limit) {
    WholeLimit whole = find(index, limit);
    if (whole == null) {
      whole = new WholeLimit(limit);
      limits.add(whole);
    }
    return whole;
  }

  /** Nothing that was admitted so far is held against what comes, also of limits that are gone. */
  void endRegimes() {
    limits.forEach(WholeLimit::endRegime);
  }
}
