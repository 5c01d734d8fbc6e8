package dev.millrace.benchmarks.aggregate;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.aggregator.StreamRecord;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;

/**
 * A stream of buckets that are written as Zipf would have it: the second most busy entity half as
 * often as the first, the third a third as often, and so on. Each has three limits.
 */
final class SampleStream {
  static final int ENTITIES = 10_000;

  /** How many writes there are a second, so that hours pass at a believable pace. */
  private static final int PER_SECOND = 1_000;

  private static final long START_MS = 1_800_000_000_000L;

  private static final List<Limit> LIMITS =
      List.of(
          Limit.perMinute("rpm", 1_000_000),
          Limit.perMinute("tpm", 1_000_000_000),
          Limit.perDay("tpd", 1_000_000_000_000L));

  private final SplittableRandom random = new SplittableRandom(42);
  private final double[] cumulated = new double[ENTITIES];
  private final Map<Integer, Long> consumed = new HashMap<>();
  private final Map<Integer, Map<String, AttributeValue>> images = new HashMap<>();
  private long number;

  SampleStream() {
    double sum = 0;
    for (int i = 0; i < ENTITIES; i++) {
      sum += 1.0 / (i + 1);
      cumulated[i] = sum;
    }
  }

  /** The next records of the stream. */
  List<StreamRecord> next(int records) {
    List<StreamRecord> batch = new ArrayList<>(records);
    for (int i = 0; i < records; i++) {
      batch.add(record());
    }
    return batch;
  }

  private StreamRecord record() {
    int entity = entity();
    number++;
    long atMs = START_MS + number * 1_000 / PER_SECOND;
    BucketKey key = BucketKey.first("default", "entity-" + entity, "gpt-4");
    long milli = consumed.merge(entity, 1_000L, Long::sum);
    Map<String, AttributeValue> after = BucketCodec.encode(state(key, milli, atMs));
    Map<String, AttributeValue> before = images.put(entity, after);
    return new StreamRecord(
        Long.toString(100_000_000_000_000L + number),
        atMs,
        before == null ? OperationType.INSERT : OperationType.MODIFY,
        /* byTimeToLive= */ false,
        BucketCodec.key(key),
        before == null ? Map.of() : before,
        after);
  }

  private int entity() {
    double drawn = random.nextDouble() * cumulated[ENTITIES - 1];
    int low = 0;
    int high = ENTITIES - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulated[middle] < drawn) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static BucketState state(BucketKey key, long milli, long atMs) {
    List<LimitState> limits = new ArrayList<>(LIMITS.size());
    for (Limit limit : LIMITS) {
      limits.add(new LimitState(limit, limit.burstMilli() - milli, milli));
    }
    return new BucketState(
        key,
        atMs,
        limits,
        Division.NONE,
        900_000,
        BucketState.NEVER,
        "w." + milli,
        ConfigStamp.CALL);
  }
}
