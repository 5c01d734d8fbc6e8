package dev.millrace.aggregator.sim;

import dev.millrace.aggregator.Aggregator;
import dev.millrace.aggregator.BatchResult;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.usage.UsageStore;
import dev.millrace.testkit.internal.generator.Gen;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Workers that read a stream as badly as workers do: each batch may come again, in other pieces,
 * while somebody else is in the middle of it or long after; workers die before and after any write,
 * and before they say how far they are.
 */
final class Delivery {
  private static final int WORKERS = 3;
  private static final int MAX_BATCH = 300;
  private static final int MAX_HELD = 20;
  private static final int MAX_DEPTH = 2;

  private final RandomGenerator random;
  private final StreamLog log;
  private final UnreliableUsage usage;
  private final ZoneId zone;
  private final Aggregator[] workers = new Aggregator[WORKERS];
  private final int[] checkpoints = new int[StreamLog.SHARDS];

  /** Batches of workers that were taken for dead. */
  private final List<List<StreamRecord>> held = new ArrayList<>();

  private int depth;
  int crashes;
  int zombies;
  int takeovers;
  int duplicates;
  int failures;

  Delivery(RandomGenerator random, StreamLog log, UsageStore store, ZoneId zone) {
    this.random = random;
    this.log = log;
    this.zone = zone;
    this.usage = new UnreliableUsage(random, store, this::takeOver);
    for (int i = 0; i < WORKERS; i++) {
      workers[i] = worker();
    }
  }

  /** Goes on until every shard is at its end and nobody is left who could wake up. */
  void run() {
    for (int steps = 0; steps < 50 * log.size(); steps++) {
      if (!isAtEnd()) {
        step();
      } else if (!held.isEmpty()) {
        wake();
      } else {
        return;
      }
    }
    throw new AssertionError("the stream was not read to its end");
  }

  private Aggregator worker() {
    return Aggregator.builder(
            usage,
            letters -> {
              throw new AssertionError("poison: " + letters);
            })
        .zone(zone)
        .build();
  }

  private boolean isAtEnd() {
    for (int shard = 0; shard < StreamLog.SHARDS; shard++) {
      if (checkpoints[shard] < log.shard(shard).size()) {
        return false;
      }
    }
    return true;
  }

  private void takeOver() {
    if (depth < MAX_DEPTH) {
      takeovers++;
      step();
    }
  }

  private void step() {
    depth++;
    int shard = random.nextInt(StreamLog.SHARDS);
    List<StreamRecord> records = log.shard(shard);
    int from = checkpoints[shard];
    if (Gen.oneIn(random, 4)) {
      from = Math.max(0, from - random.nextInt(MAX_BATCH));
    }
    int to = Math.min(records.size(), from + 1 + (int) Gen.magnitude(random, 0, MAX_BATCH));
    List<StreamRecord> batch = withDuplicates(records.subList(Math.min(from, to), to));
    if (Gen.oneIn(random, 15) && held.size() < MAX_HELD) {
      held.add(batch); // its worker stalls, and somebody else takes over
    } else {
      process(batch, shard, to);
    }
    if (Gen.oneIn(random, 15) && !held.isEmpty()) {
      wake();
    }
    depth--;
  }

  /** Somebody who was taken for dead goes on with what it had. */
  private void wake() {
    zombies++;
    process(held.remove(random.nextInt(held.size())), -1, -1);
  }

  private void process(List<StreamRecord> batch, int shard, int to) {
    int worker = random.nextInt(WORKERS);
    BatchResult result;
    try {
      result = workers[worker].process(batch);
    } catch (UnreliableUsage.Crash crash) {
      crashes++;
      workers[worker] = worker();
      return;
    }
    duplicates += result.duplicates();
    if (shard < 0 || Gen.oneIn(random, 8)) {
      return; // it does not come to saying how far it is
    }
    int done = to;
    if (!result.isDone()) {
      failures++;
      done = indexOf(shard, result.firstFailed());
    }
    checkpoints[shard] = Math.max(checkpoints[shard], done);
  }

  private int indexOf(int shard, String number) {
    List<StreamRecord> records = log.shard(shard);
    for (int i = 0; i < records.size(); i++) {
      if (records.get(i).sequenceNumber().equals(number)) {
        return i;
      }
    }
    throw new AssertionError("no record " + number);
  }

  private List<StreamRecord> withDuplicates(List<StreamRecord> records) {
    List<StreamRecord> batch = new ArrayList<>();
    for (StreamRecord record : records) {
      batch.add(record);
      if (Gen.oneIn(random, 50)) {
        batch.add(record);
      }
      if (Gen.oneIn(random, 50)) {
        batch.add(batch.get(random.nextInt(batch.size())));
      }
    }
    return batch;
  }
}
