package dev.millrace.aggregator.internal;

import dev.millrace.core.spi.usage.SequenceNumber;
import dev.millrace.core.spi.usage.UsageItem;
import dev.millrace.core.spi.usage.UsageKey;
import dev.millrace.core.spi.usage.UsageWrite;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The additions of a batch to one usage item from one stream: mostly one write, however many
 * records it comes from. It is sent in the order of the stream for each bucket shard. When the item
 * refuses because it has seen some of it, that part is left out and the remainder is sent again.
 */
final class PendingUsage {
  private static final Comparator<Entry> BY_SHARD_AND_NUMBER =
      Comparator.comparingInt((Entry entry) -> entry.bucket.source().shard())
          .thenComparing(entry -> entry.bucket.number());

  private final UsageKey key;
  private final String stream;
  private final long expiresAtSeconds;
  private final List<Entry> entries = new ArrayList<>(1);
  private final List<Integer> applied = new ArrayList<>(1);
  private final List<Integer> spoilt = new ArrayList<>(0);
  private String error = "";
  private boolean sorted = true;
  private int begin;
  private int end;

  /**
   * A record of the batch.
   *
   * @param index its place in the batch
   */
  private record Entry(int index, RecordContent.Bucket bucket) {}

  PendingUsage(UsageKey key, String stream, long expiresAtSeconds) {
    this.key = key;
    this.stream = stream;
    this.expiresAtSeconds = expiresAtSeconds;
  }

  UsageKey key() {
    return key;
  }

  void add(int index, RecordContent.Bucket bucket) {
    Entry entry = new Entry(index, bucket);
    if (!entries.isEmpty()) {
      sorted &= BY_SHARD_AND_NUMBER.compare(entries.get(entries.size() - 1), entry) < 0;
    }
    entries.add(entry);
  }

  /** Whether nothing remains to be written. */
  boolean isDone() {
    return begin == entries.size();
  }

  /** The next write: as much as fits into one. */
  UsageWrite next() {
    sort();
    Map<String, Long> addMilli = new HashMap<>();
    Map<Integer, UsageWrite.Run> runs = new HashMap<>();
    end = begin;
    while (end < entries.size() && fits(entries.get(end).bucket, addMilli, runs)) {
      RecordContent.Bucket bucket = entries.get(end).bucket;
      bucket.consumedMilli().forEach((limit, milli) -> addMilli.merge(limit, milli, Long::sum));
      SequenceNumber number = bucket.number();
      runs.merge(
          bucket.source().shard(),
          new UsageWrite.Run(number, number),
          (run, one) -> new UsageWrite.Run(run.first(), one.last()));
      end++;
    }
    return new UsageWrite(
        key, addMilli, end - begin, new UsageWrite.InOrder(stream, runs), expiresAtSeconds);
  }

  /** The first record always fits: no record has more limits than a write. */
  private static boolean fits(
      RecordContent.Bucket bucket, Map<String, Long> addMilli, Map<Integer, UsageWrite.Run> runs) {
    if (runs.size() == UsageWrite.MAX_SHARDS && !runs.containsKey(bucket.source().shard())) {
      return false;
    }
    int limits = addMilli.size();
    for (Map.Entry<String, Long> consumed : bucket.consumedMilli().entrySet()) {
      @Nullable Long sum = addMilli.get(consumed.getKey());
      if (sum == null) {
        limits++;
      } else if (overflows(sum, consumed.getValue())) {
        return false;
      }
    }
    return limits <= UsageWrite.MAX_LIMITS;
  }

  private static boolean overflows(long a, long b) {
    long sum = a + b;
    return ((a ^ sum) & (b ^ sum)) < 0;
  }

  /** Records that the last write was made. */
  void applied() {
    for (Entry entry : entries.subList(begin, end)) {
      applied.add(entry.index);
    }
    begin = end;
  }

  /** Handles a refusal by {@code item}: leaves out the records that it has seen. */
  void refused(UsageItem item) {
    List<Entry> left = new ArrayList<>(entries.size() - begin);
    for (Entry entry : entries.subList(begin, entries.size())) {
      SequenceNumber seen = item.lastOf(entry.bucket.source());
      if (seen == null || entry.bucket.number().isAfter(seen)) {
        left.add(entry);
      }
    }
    entries.clear();
    entries.addAll(left);
    begin = 0;
    end = 0;
  }

  /** Handles a corrupt item: nothing that remains can be added to it. */
  void spoilt(String why) {
    error = why;
    for (Entry entry : entries.subList(begin, entries.size())) {
      spoilt.add(entry.index);
    }
    begin = entries.size();
  }

  /** The places in the batch of the records that can never be added to the item as it is. */
  List<Integer> spoiltIndexes() {
    return spoilt;
  }

  /** The reason. */
  String error() {
    return error;
  }

  /** The places in the batch of the records that were added to the item by this object. */
  List<Integer> appliedIndexes() {
    return applied;
  }

  /** The first place in the batch of a record that is not done, the number of all when all are. */
  int firstLeft() {
    int first = Integer.MAX_VALUE;
    for (Entry entry : entries.subList(begin, entries.size())) {
      first = Math.min(first, entry.index);
    }
    return first;
  }

  /** A stream delivers them in order. A repeated one counts once. */
  private void sort() {
    if (sorted) {
      return;
    }
    sorted = true;
    entries.sort(BY_SHARD_AND_NUMBER);
    List<Entry> once = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      if (once.isEmpty() || BY_SHARD_AND_NUMBER.compare(once.get(once.size() - 1), entry) < 0) {
        once.add(entry);
      }
    }
    entries.clear();
    entries.addAll(once);
  }
}
