package dev.millrace.core.bucket;

import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as it is stored: all limits of one (entity, resource, shard) with one refill timestamp.
 *
 * @param key which bucket
 * @param refilledAtMs up to when credit has been claimed, for every limit; also the optimistic lock
 * @param limits the limits in the order of their names, undivided: the shard's share is derived
 * @param division how the bucket is divided into shards, as this one knows it
 * @param wcuMilli the balance of the reserved limit {@link WriteUnits} at the refill timestamp
 * @param expiresAtSeconds when the store may forget the bucket, {@link #NEVER} for never
 * @param op the id of the last write
 * @param stamp where its limits come from, and whether it is switched on
 */
public record BucketState(
    BucketKey key,
    long refilledAtMs,
    List<LimitState> limits,
    Division division,
    long wcuMilli,
    long expiresAtSeconds,
    String op,
    ConfigStamp stamp) {
  /** The bucket does not expire. */
  public static final long NEVER = 0;

  /** Keeps the limits as they are now, and checks that the shard can have its level. */
  public BucketState {
    limits = List.copyOf(limits);
    if (key.shard() >= division.level()) {
      throw new IllegalArgumentException(
          key + " cannot have the level " + division.level() + ": it must be above the shard");
    }
  }

  /** An undivided bucket that nobody has written lately. */
  public BucketState(
      BucketKey key,
      long refilledAtMs,
      List<LimitState> limits,
      long expiresAtSeconds,
      String op,
      ConfigStamp stamp) {
    this(
        key,
        refilledAtMs,
        limits,
        Division.NONE,
        WriteUnits.DYNAMODB.fullMilli(),
        expiresAtSeconds,
        op,
        stamp);
  }

  /** An undivided bucket that nobody has written lately, whose limits came with a call. */
  public BucketState(
      BucketKey key, long refilledAtMs, List<LimitState> limits, long expiresAtSeconds, String op) {
    this(key, refilledAtMs, limits, expiresAtSeconds, op, ConfigStamp.CALL);
  }

  /** A bucket that does not exist yet: every limit at its ceiling. */
  public static BucketState full(BucketKey key, LimitSet limits, long nowMs) {
    return full(key, limits, ConfigStamp.CALL, nowMs);
  }

  /** A bucket that does not exist yet: every limit at its ceiling. */
  public static BucketState full(BucketKey key, Terms terms, long nowMs) {
    return full(key, terms.limits(), terms.stamp(), nowMs);
  }

  private static BucketState full(BucketKey key, LimitSet limits, ConfigStamp stamp, long nowMs) {
    List<LimitState> states = new ArrayList<>(limits.size());
    for (Limit limit : limits) {
      states.add(LimitState.full(limit));
    }
    return new BucketState(key, nowMs, states, NEVER, /* op= */ "", stamp);
  }

  /** The same with another balance of the reserved limit. */
  public BucketState withWcuMilli(long milli) {
    return new BucketState(key, refilledAtMs, limits, division, milli, expiresAtSeconds, op, stamp);
  }

  /** How many shards there should be, as this one knows it. */
  public int shardCount() {
    return division.count();
  }

  /** The part of each limit that this shard holds. */
  public Share share() {
    return Share.of(key.shard(), division.level());
  }

  /** Whether a bucket of this division and stamp may be forgotten when it is idle. */
  public static boolean expires(Division division, ConfigStamp stamp) {
    // Were one shard of several forgotten, the others would hold less, or a new one too much.
    return division.isWhole() && stamp.expires();
  }

  /** The limit called {@code name}, or null when the bucket has none. */
  public @Nullable LimitState find(String name) {
    for (int i = 0; i < limits.size(); i++) {
      LimitState state = limits.get(i);
      if (state.name().equals(name)) {
        return state;
      }
    }
    return null;
  }

  /** The limit called {@code name}, looked for first where it is most likely: at {@code index}. */
  public @Nullable LimitState find(int index, String name) {
    if (index < limits.size() && limits.get(index).name().equals(name)) {
      return limits.get(index);
    }
    return find(name);
  }

  /** Whether the bucket has these limits with exactly these parameters, perhaps among others. */
  public boolean covers(LimitSet expected) {
    for (int i = 0; i < expected.size(); i++) {
      LimitState state = find(i, expected.get(i).name());
      if (state == null || !state.limit().equals(expected.get(i))) {
        return false;
      }
    }
    return true;
  }
}
