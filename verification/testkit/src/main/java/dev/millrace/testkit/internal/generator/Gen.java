package dev.millrace.testkit.internal.generator;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.LimitSet;
import dev.millrace.NameRules;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.bucket.ShardShare;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Random values of this domain, each a function of the random numbers it is given. With {@link
 * Seeds} they make property tests that can be replayed. Small, round and repeated values are drawn
 * more often than chance would: that is where the mistakes are.
 */
public final class Gen {
  /** Names that are easily confused, in an attribute's name or by a careless pattern. */
  private static final List<String> FAVOURITE_NAMES =
      List.of("rpm", "tpm", "a", "a_tk", "tk", "a.b", "a-b", "A", "x_-._y");

  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String DIGITS = "0123456789";

  private static final List<Long> ROUND_PERIODS_MS =
      List.of(1_000L, 60_000L, 3_600_000L, 86_400_000L);

  private static final long MAX_ODD_PERIOD_MS = 10 * 86_400_000L;
  private static final long MAX_TOKENS_PER_SECOND = 10_000_000;
  private static final long MAX_BURST_FACTOR = 1_000;
  private static final int USUAL_LIMITS = 5;

  /** Nobody will change a configuration more often. */
  private static final long MAX_VERSION = 1L << 40;

  /** The year 2100. */
  private static final long MAX_TIME_MS = 4_102_444_800_000L;

  private Gen() {}

  /** See {@link Seeds#forEach}. */
  public static void forEachSeed(int cases, Seeds.Case body) {
    Seeds.forEach(cases, body);
  }

  /** True once in {@code times} times. */
  public static boolean oneIn(RandomGenerator random, int times) {
    return random.nextInt(times) == 0;
  }

  /** One of {@code choices}. */
  public static <T> T oneOf(RandomGenerator random, List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /**
   * A number from {@code min} to {@code max}, both included and both not negative, of a random
   * number of digits: small ones are as likely as large ones. The ends themselves come up often.
   */
  public static long magnitude(RandomGenerator random, long min, long max) {
    if (oneIn(random, 16)) {
      return random.nextBoolean() ? min : max;
    }
    long span = max - min;
    long scale = span >>> random.nextInt(Long.SIZE - Long.numberOfLeadingZeros(span) + 1);
    return min + (scale == 0 ? 0 : random.nextLong(scale) + 1);
  }

  /** A valid name of a limit, often one of a few, so that two bring the same. */
  public static String limitName(RandomGenerator random) {
    if (!oneIn(random, 3)) {
      return oneOf(random, FAVOURITE_NAMES);
    }
    String name = name(random, LETTERS, "_-.", NameRules.MAX_NAME);
    return name.equals(NameRules.RESERVED_LIMIT) ? name + "s" : name;
  }

  /** A valid name of a resource. */
  public static String resource(RandomGenerator random) {
    return name(random, LETTERS, "_-./", NameRules.MAX_NAME);
  }

  /** A valid id of an entity. */
  public static String entityId(RandomGenerator random) {
    return name(random, LETTERS + DIGITS, "_-.:@", NameRules.MAX_ENTITY_ID);
  }

  /** A valid namespace id. */
  public static String namespace(RandomGenerator random) {
    return name(random, LETTERS + DIGITS, "_-", NameRules.MAX_NAME);
  }

  /** A key, mostly of the first shard. */
  public static BucketKey key(RandomGenerator random) {
    int shard = oneIn(random, 4) ? random.nextInt(BucketKey.MAX_SHARDS) : 0;
    return new BucketKey(namespace(random), entityId(random), resource(random), shard);
  }

  /** A limit from 1 a day to 10 million a second, over round and odd periods. */
  public static Limit limit(RandomGenerator random) {
    return limit(random, limitName(random));
  }

  /** The same of a given name. */
  public static Limit limit(RandomGenerator random, String name) {
    long periodMs =
        oneIn(random, 3)
            ? magnitude(random, 1, MAX_ODD_PERIOD_MS)
            : oneOf(random, ROUND_PERIODS_MS);
    // A refill whose product exceeds 64 bits is not a limit.
    long maxTokens =
        Math.min(
            Math.max(1, MAX_TOKENS_PER_SECOND * periodMs / 1_000),
            Long.MAX_VALUE / Limit.MILLI / periodMs);
    long refillMilli = magnitude(random, 1, maxTokens) * Limit.MILLI;
    long capacityMilli =
        oneIn(random, 4) ? magnitude(random, 1, maxTokens) * Limit.MILLI : refillMilli;
    long burstMilli =
        oneIn(random, 2) ? capacityMilli : capacityMilli * magnitude(random, 1, MAX_BURST_FACTOR);
    burstMilli = Math.min(burstMilli, Limit.MAX_TOKENS * Limit.MILLI);
    return new Limit(name, capacityMilli, burstMilli, Refill.of(refillMilli, periodMs));
  }

  /** Mostly one to five limits, sometimes as many as a bucket can have. */
  public static LimitSet limitSet(RandomGenerator random) {
    int max = oneIn(random, 20) ? LimitSet.MAX_LIMITS : USUAL_LIMITS;
    int count = 1 + random.nextInt(max);
    TreeMap<String, Limit> byName = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      Limit limit = limit(random);
      byName.put(limit.name(), limit);
    }
    return LimitSet.of(byName.values());
  }

  /** The same, where one limit in four is soft. */
  public static LimitSet limitSetWithSoft(RandomGenerator random) {
    return LimitSet.of(
        limitSet(random).asList().stream()
            .map(limit -> oneIn(random, 4) ? limit.asSoft() : limit)
            .toList());
  }

  /** Where limits come from: often a call about which nothing is stored, seldom switched off. */
  public static ConfigStamp stamp(RandomGenerator random) {
    if (oneIn(random, 3)) {
      return ConfigStamp.CALL;
    }
    return new ConfigStamp(
        oneOf(random, List.of(ConfigLevel.values())), versions(random), oneIn(random, 4));
  }

  /** Versions of records: many of them are not there. */
  public static RecordVersions versions(RandomGenerator random) {
    return new RecordVersions(
        version(random), version(random), version(random), version(random), version(random));
  }

  private static long version(RandomGenerator random) {
    return oneIn(random, 3) ? 0 : magnitude(random, 0, MAX_VERSION);
  }

  /** What may hold for a bucket. */
  public static EffectiveLimits terms(RandomGenerator random) {
    return new EffectiveLimits(limitSetWithSoft(random), stamp(random));
  }

  /** An amount in millitokens for {@code limit}: from nothing to somewhat more than it can hold. */
  public static long amountMilli(RandomGenerator random, Limit limit) {
    long burstTokens = limit.burstMilli() / Limit.MILLI;
    long tokens = Math.min(magnitude(random, 0, burstTokens + burstTokens / 8), Limit.MAX_TOKENS);
    return tokens * Limit.MILLI;
  }

  /** Amounts for some of the limits, at least one of them. */
  public static Amounts amounts(RandomGenerator random, LimitSet limits) {
    long[] milli = new long[limits.size()];
    int always = random.nextInt(milli.length);
    for (int i = 0; i < milli.length; i++) {
      boolean named = i == always || random.nextBoolean();
      milli[i] = named ? amountMilli(random, limits.get(i)) : 0;
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** Amounts as {@link #amounts}, each charged or given back. */
  public static Amounts settlement(RandomGenerator random, LimitSet limits) {
    Amounts amounts = amounts(random, limits);
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = random.nextBoolean() ? amounts.milli(i) : -amounts.milli(i);
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** An instant in epoch milliseconds, up to the year 2100. */
  public static long timeMs(RandomGenerator random) {
    return oneIn(random, 8)
        ? magnitude(random, 0, MAX_TIME_MS)
        : random.nextLong(MAX_TIME_MS / 2, MAX_TIME_MS);
  }

  /** A time that passes between two calls: mostly milliseconds, sometimes days, sometimes back. */
  public static long stepMs(RandomGenerator random) {
    long stepMs = magnitude(random, 0, 7 * 86_400_000L);
    return oneIn(random, 8) ? -Math.min(stepMs, 60_000) : stepMs;
  }

  /**
   * A bucket as it may be found: in part spent, in debt or lifted above its ceiling, of whatever
   * stamp, whole or one shard of several.
   */
  public static BucketState bucketState(RandomGenerator random, BucketKey key, String op) {
    Division division = ShardGen.division(random, key.shard());
    ShardShare share = ShardShare.of(key.shard(), division.level());
    List<LimitState> limits = new ArrayList<>();
    for (Limit limit : limitSetWithSoft(random)) {
      limits.add(limitState(random, limit, share));
    }
    long refilledAtMs = timeMs(random);
    long expiresAtSeconds =
        oneIn(random, 4) || !division.isWhole()
            ? BucketState.NEVER
            : BucketExpiry.expiresAtSeconds(refilledAtMs, limits);
    return new BucketState(
        key,
        refilledAtMs,
        limits,
        division,
        ShardGen.wcuMilli(random),
        expiresAtSeconds,
        op,
        stamp(random));
  }

  /** A limit as it may be found in a bucket. */
  public static LimitState limitState(RandomGenerator random, Limit limit) {
    return limitState(random, limit, ShardShare.WHOLE);
  }

  /** A limit as it may be found in a shard. */
  public static LimitState limitState(RandomGenerator random, Limit limit, ShardShare share) {
    long spentMilli = amountMilli(random, limit);
    long tokensMilli = share.partOf(limit.burstMilli() - spentMilli) + random.nextLong(Limit.MILLI);
    long consumedMilli = magnitude(random, 0, Limit.MAX_TOKENS);
    return new LimitState(limit, tokensMilli, oneIn(random, 8) ? -consumedMilli : consumedMilli);
  }

  private static String name(
      RandomGenerator random, String first, String alsoAllowed, int maxLength) {
    String rest = LETTERS + DIGITS + alsoAllowed + alsoAllowed + alsoAllowed;
    int length = (int) magnitude(random, 1, maxLength);
    StringBuilder name = new StringBuilder(length);
    name.append(first.charAt(random.nextInt(first.length())));
    while (name.length() < length) {
      name.append(rest.charAt(random.nextInt(rest.length())));
    }
    return name.toString();
  }
}
