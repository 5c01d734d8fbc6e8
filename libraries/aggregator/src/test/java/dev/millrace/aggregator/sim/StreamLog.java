package dev.millrace.aggregator.sim;

import dev.millrace.BucketKey;
import dev.millrace.aggregator.StreamRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A stream: a few shards, each with its records in order. */
final class StreamLog {
  static final int SHARDS = 4;

  private final List<List<StreamRecord>> shards = new ArrayList<>();
  private final RandomGenerator random;

  /** Soon has one digit more, so that the order of texts is not that of numbers. */
  private long number = 99_000;

  StreamLog(RandomGenerator random) {
    this.random = random;
    for (int i = 0; i < SHARDS; i++) {
      shards.add(new ArrayList<>());
    }
  }

  String nextNumber() {
    number += 1 + random.nextInt(3); // there are gaps
    return Long.toString(number);
  }

  void add(BucketKey key, StreamRecord record) {
    shards.get(Math.floorMod(key.hashCode(), SHARDS)).add(record);
  }

  List<StreamRecord> shard(int shard) {
    return shards.get(shard);
  }

  int size() {
    return shards.stream().mapToInt(List::size).sum();
  }
}
