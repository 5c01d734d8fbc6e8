package dev.millrace.core.spi.bucket;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
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
  public static BucketState full(BucketKey key, EffectiveLimits terms, long nowMs) {
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
  public ShardShare share() {
    return division.isWhole() ? ShardShare.WHOLE : ShardShare.of(key.shard(), division.level());
  }

  /** Whether the shard is one of several. */
  public boolean isDivided() {
    return !division.isWhole();
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

  /** The limit called as {@code limit} is, looked for first where it is most likely. */
  public @Nullable LimitState find(int index, Limit limit) {
    return index < limits.size() && limits.get(index).limit.equals(limit)
        ? limits.get(index)
        : find(limit.name());
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

  /**
   * One limit of a bucket as it was last written.
   *
   * @param limit the parameters that the bucket was last given
   * @param tokensMilli the balance at the bucket's refill timestamp; below zero is debt
   * @param consumedMilli everything that was ever consumed, less what was given back
   */
  public record LimitState(Limit limit, long tokensMilli, long consumedMilli) {
    /** A limit that nobody has touched: at its ceiling. */
    public static LimitState full(Limit limit) {
      return full(limit, ShardShare.WHOLE);
    }

    /** A limit that nobody has touched, of a shard with {@code share}: at its ceiling. */
    public static LimitState full(Limit limit, ShardShare share) {
      return new LimitState(limit, share.partOf(limit.burstMilli()), 0);
    }

    /** The name of the limit. */
    public String name() {
      return limit.name();
    }

    /**
     * What a shard with {@code share} earned since {@code refilledAtMs}, before it is clipped at
     * the ceiling.
     */
    public long creditMilli(ShardShare share, long refilledAtMs, long nowMs) {
      return share.creditMilli(limit.refill(), refilledAtMs, nowMs);
    }

    /** The most that a shard with {@code share} can hold. */
    public long ceilingMilli(ShardShare share) {
      return share.partOf(limit.burstMilli());
    }

    /** The balance at {@code nowMs}: what is stored and what was earned, at most the ceiling. */
    public long balanceMilli(ShardShare share, long refilledAtMs, long nowMs) {
      return Math.min(
          SaturatedMath.add(tokensMilli, creditMilli(share, refilledAtMs, nowMs)),
          ceilingMilli(share));
    }
  }

  /**
   * The division of a bucket into shards, as one of them knows it.
   *
   * <p>Shards form a binary tree: shard {@code j} is split off the shard that is left when the
   * highest bit of {@code j} is taken away. A shard of level {@code l} holds the rest {@code j} of
   * {@code l} ({@link ShardShare}); when it splits, its level doubles and shard {@code j + l} takes
   * the other half. So a shard's level tells which shards were split off it, and the shards that
   * exist hold the whole limit between them at every moment, however far each of them has split.
   *
   * @param count how many shards there should be: the word of shard 0 counts, that of another shard
   *     is what it was told when it was last split or merged
   * @param level at which the shard's own share is sized. Behind the count, the shard is due to
   *     split; ahead of it, to merge
   */
  public record Division(int count, int level) {
    /** Not divided. */
    public static final Division NONE = new Division(1, 1);

    /** Checks the ranges. */
    public Division {
      requirePower("shard count", count);
      requirePower("level", level);
    }

    /** A division. */
    public static Division of(int count, int level) {
      return count == 1 && level == 1 ? NONE : new Division(count, level);
    }

    /** Whether the shard is the whole bucket. */
    public boolean isWhole() {
      return level == 1;
    }

    /** The same shard, told that there should be {@code newCount} shards. */
    public Division withCount(int newCount) {
      return newCount == count ? this : of(newCount, level);
    }

    /** The same shard at another level. */
    public Division withLevel(int newLevel) {
      return of(count, newLevel);
    }

    static void requirePower(String what, int number) {
      if (number < 1 || number > BucketKey.MAX_SHARDS || Integer.bitCount(number) != 1) {
        throw new IllegalArgumentException(
            what + " " + number + " must be a power of two from 1 to " + BucketKey.MAX_SHARDS);
      }
    }
  }
}
