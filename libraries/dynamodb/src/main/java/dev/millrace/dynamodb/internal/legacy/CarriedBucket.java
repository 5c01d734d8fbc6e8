package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.ItemReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A carried-over bucket as its fence remembers it, to be compared with today's bucket.
 *
 * @param refilledAtMs the timestamp that was carried over
 * @param limits the limits as they were then, each with the counter that was carried over
 * @param tokensMilli the balances that were carried over, by limit; none of a bucket that was
 *     merged into another
 */
public record CarriedBucket(
    BucketKey key, long refilledAtMs, List<LimitState> limits, Map<String, Long> tokensMilli) {
  public CarriedBucket {
    limits = List.copyOf(limits);
    tokensMilli = Map.copyOf(tokensMilli);
  }

  public static CarriedBucket of(OldItems moved) {
    Map<String, AttributeValue> item = moved.requireComposite();
    ItemReader reader = OldItems.reader(item);
    Map<String, Long> tokensMilli = new TreeMap<>();
    List<LimitState> limits = new ArrayList<>();
    for (LimitState limit : BucketCodec.limits(moved.key(), item)) {
      String name = limit.name();
      if (item.containsKey(OldItems.movedTokens(name))) {
        tokensMilli.put(name, reader.number(OldItems.movedTokens(name)));
      }
      limits.add(
          new LimitState(
              limit.limit(), limit.tokensMilli(), reader.number(OldItems.movedConsumed(name), 0)));
    }
    return new CarriedBucket(
        moved.key(), reader.number(OldItems.MOVED_REFILLED_AT, 0), limits, tokensMilli);
  }

  public List<LimitState> asCarried() {
    return limits.stream()
        .map(
            limit ->
                new LimitState(
                    limit.limit(),
                    tokensMilli.getOrDefault(limit.name(), 0L),
                    limit.consumedMilli()))
        .toList();
  }

  /**
   * What is wrong with today's bucket, null when nothing is. Its counters must hold what was
   * carried over; and what it has, with what was consumed since, can be no more than what was
   * carried over and earned since. The second can be checked only while the bucket is whole and has
   * its limits from then.
   *
   * @param shards all shards of today's bucket, the first one first; none when it has expired
   */
  public @Nullable String defect(List<BucketState> shards) {
    for (LimitState limit : limits) {
      long consumedMilli = 0;
      boolean isThere = false;
      for (BucketState shard : shards) {
        LimitState today = shard.find(limit.name());
        isThere |= today != null;
        consumedMilli = SaturatedMath.add(consumedMilli, today == null ? 0 : today.consumedMilli());
      }
      if (!isThere) {
        continue; // expired, or removed with the limit
      }
      long sinceMilli = SaturatedMath.subtract(consumedMilli, limit.consumedMilli());
      if (sinceMilli < 0) {
        return "counter of " + limit.name() + " is " + -sinceMilli + " below what was carried over";
      }
      String made = made(limit, shards, sinceMilli);
      if (made != null) {
        return made;
      }
    }
    return null;
  }

  private @Nullable String made(LimitState limit, List<BucketState> shards, long sinceMilli) {
    Long carriedMilli = tokensMilli.get(limit.name());
    BucketState first = shards.get(0);
    LimitState today = first.find(limit.name());
    if (carriedMilli == null
        || shards.size() > 1
        || today == null
        || !today.limit().equals(limit.limit())) {
      return null;
    }
    long earnedMilli = limit.creditMilli(ShardShare.WHOLE, refilledAtMs, first.refilledAtMs());
    long hadMilli = SaturatedMath.add(carriedMilli, earnedMilli);
    long hasMilli = SaturatedMath.add(today.tokensMilli(), sinceMilli);
    return hasMilli > hadMilli
        ? "limit " + limit.name() + " has " + (hasMilli - hadMilli) + " that nobody carried over"
        : null;
  }
}
