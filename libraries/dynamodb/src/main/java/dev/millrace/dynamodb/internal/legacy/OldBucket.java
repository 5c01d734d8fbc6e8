package dev.millrace.dynamodb.internal.legacy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.MillraceException;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.dynamodb.internal.item.BucketCodec;
import dev.millrace.dynamodb.internal.item.ItemReader;
import dev.millrace.dynamodb.internal.schema.Attributes;
import dev.millrace.dynamodb.internal.schema.BucketAttributes;
import dev.millrace.dynamodb.internal.schema.OldBucketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A bucket of an older schema, and the one of today's that it becomes.
 *
 * <p>A bucket of version 2 has one refill timestamp for all limits, as today's have: its balances,
 * counters, parameters and timestamp are taken over as they are, and what it has earned since is
 * claimed by the next write like any other credit. Nothing is rounded, so nothing is made or lost.
 *
 * <p>In version 1 each limit has its own timestamp. The bucket gets the latest of them, and every
 * other limit is brought up to it: {@code credit} is additive, so claiming a part now and the
 * remainder later is the same as claiming all of it later. A timestamp in the future is not taken,
 * because it would credit the other limits with time that has not come.
 *
 * <p>The bucket follows no configuration yet. The first acquire finds that its limits are not the
 * present ones and reparameterises it, in the write that it makes anyway: refill to now at the old
 * rate, balances clipped to the new ceilings, missing limits added, limits that are gone removed.
 * So there is one rule for limits that change, whether or not a migration came between.
 *
 * @param version the schema version: {@link #PER_LIMIT} or {@link #COMPOSITE}
 * @param limits in the order of their names
 * @param expires whether the store may forget it
 */
public record OldBucket(BucketKey key, int version, List<OldLimit> limits, boolean expires) {
  /** The version with an item for each limit. */
  public static final int PER_LIMIT = 1;

  /** The version with one item for all limits. */
  public static final int COMPOSITE = 2;

  /** A timestamp further ahead than this is not a clock's honest difference: as in limiters. */
  static final long MAX_AHEAD_MS = 10_000;

  public OldBucket {
    limits = List.copyOf(limits);
  }

  /**
   * One limit, which may have a refill timestamp of its own.
   *
   * @param state the limit, its balance at {@code refilledAtMs} and its counter
   * @param refilledAtMs up to when credit has been claimed
   */
  record OldLimit(LimitState state, long refilledAtMs) {
    private boolean isHonest(long nowMs) {
      return refilledAtMs <= SaturatedMath.add(nowMs, MAX_AHEAD_MS);
    }

    /**
     * The balance at {@code atMs}, which is at most {@code nowMs}: with what was earned until then,
     * at most up to the ceiling, or without what was claimed ahead of it, so that claiming it again
     * yields the stored balance. Nothing is taken back for a timestamp that is not credible.
     */
    long balanceMilli(long atMs, long nowMs) {
      if (refilledAtMs == atMs) {
        return state.tokensMilli(); // above the ceiling after a refund; the next claim clips it
      }
      if (refilledAtMs < atMs) {
        return state.balanceMilli(ShardShare.WHOLE, refilledAtMs, atMs);
      }
      return isHonest(nowMs)
          ? SaturatedMath.subtract(
              state.tokensMilli(), state.creditMilli(ShardShare.WHOLE, atMs, refilledAtMs))
          : state.tokensMilli();
    }
  }

  /**
   * The bucket that {@code items} make up, of which there are some and which was not carried over
   * yet. The item of all limits counts when there is one: its writer wrote the others no more.
   * Invalid content is an error that names the item and never a guess: a guessed balance would be
   * carried over for good.
   */
  public static OldBucket decode(OldItems items) {
    Map<String, AttributeValue> composite = items.composite();
    OldBucket old = composite == null ? ofPerLimit(items) : ofComposite(items.key(), composite);
    if (old.limits.size() > LimitSet.MAX_LIMITS
        || items.perLimit().size() > OldItems.MAX_PER_LIMIT) {
      throw new ItemReader(OldBucketAddress.composite(items.key()), Map.of())
          .corrupt(
              old.limits.size() + " limits and " + items.perLimit().size() + " items are too many",
              null);
    }
    return old;
  }

  private static OldBucket ofComposite(BucketKey key, Map<String, AttributeValue> item) {
    ItemReader reader = OldItems.reader(item);
    long refilledAtMs = reader.number(BucketAttributes.REFILLED_AT);
    List<LimitState> limits;
    try {
      limits = BucketCodec.limits(key, item);
    } catch (MillraceException e) {
      throw reader.corrupt(e.attributes().toString(), e);
    }
    return new OldBucket(
        key,
        COMPOSITE,
        limits.stream().map(limit -> new OldLimit(limit, refilledAtMs)).toList(),
        reader.number(Attributes.TTL, 0) != 0);
  }

  private static OldBucket ofPerLimit(OldItems items) {
    List<OldLimit> limits = new ArrayList<>();
    boolean expires = true;
    for (Map.Entry<String, Map<String, AttributeValue>> item : items.perLimit().entrySet()) {
      ItemReader reader = OldItems.reader(item.getValue());
      limits.add(limit(item.getKey(), reader));
      // One that stays keeps the others: a limit that is forgotten comes back full.
      expires &= reader.number(Attributes.TTL, 0) != 0;
    }
    return new OldBucket(items.key(), PER_LIMIT, limits, expires);
  }

  private static OldLimit limit(String name, ItemReader item) {
    long capacityMilli = item.number(OldItems.CAPACITY);
    long refilledAtMs = item.number(OldItems.REFILLED_AT);
    Limit limit;
    try {
      limit =
          new Limit(
              name,
              capacityMilli,
              item.number(OldItems.BURST, capacityMilli),
              Refill.of(item.number(OldItems.REFILL_AMOUNT), item.number(OldItems.REFILL_PERIOD)));
    } catch (IllegalArgumentException e) {
      throw item.corrupt(String.valueOf(e.getMessage()), e);
    }
    return new OldLimit(
        new LimitState(limit, item.saturated(OldItems.TOKENS), item.number(OldItems.CONSUMED, 0)),
        refilledAtMs);
  }

  /**
   * The bucket as it is to be stored today.
   *
   * @param nowMs the store's time; only timestamps in the future are judged by it
   * @param op the id of the write
   */
  public BucketState state(long nowMs, String op) {
    long refilledAtMs = refilledAtMs(nowMs);
    List<LimitState> carried = new ArrayList<>(limits.size());
    for (OldLimit limit : limits) {
      carried.add(
          new LimitState(
              limit.state.limit(),
              limit.balanceMilli(refilledAtMs, nowMs),
              limit.state.consumedMilli()));
    }
    long expiresAtSeconds =
        expires ? BucketExpiry.expiresAtSeconds(nowMs, carried) : BucketState.NEVER;
    return new BucketState(key, refilledAtMs, carried, expiresAtSeconds, op);
  }

  /** The timestamp that all limits share from now on. */
  private long refilledAtMs(long nowMs) {
    long first = limits.get(0).refilledAtMs;
    if (limits.stream().allMatch(limit -> limit.refilledAtMs == first)) {
      return first; // wild or not: limiters heal it
    }
    long latest =
        limits.stream()
            .filter(limit -> limit.isHonest(nowMs))
            .mapToLong(OldLimit::refilledAtMs)
            .max()
            .orElse(nowMs);
    return Math.min(latest, nowMs);
  }

  /**
   * The surplus of a bucket that was made meanwhile, full: by limit, in millitokens, what the old
   * one lacked at {@code nowMs}.
   */
  Map<String, Long> lackingMilli(long nowMs) {
    Map<String, Long> lacking = new LinkedHashMap<>();
    for (OldLimit limit : limits) {
      long ceilingMilli = limit.state.limit().burstMilli();
      long lackingMilli = SaturatedMath.subtract(ceilingMilli, limit.balanceMilli(nowMs, nowMs));
      lacking.put(limit.state.name(), Math.max(0, lackingMilli));
    }
    return lacking;
  }
}
