package dev.millrace.core.testing;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Buckets and amounts in few words. Balances are in whole tokens. */
public final class Buckets {
  /** The bucket of every example. */
  public static final BucketKey KEY = BucketKey.first("ns", "key-42", "gpt-4");

  /** An instant at which every period of the examples begins. */
  public static final long T = Gen.EPOCH_MS;

  private Buckets() {}

  /** A limit with a balance, nothing consumed so far. */
  public static LimitState holds(Limit limit, long tokens) {
    return new LimitState(limit, tokens * Limit.MILLI, 0);
  }

  /** A bucket that was last claimed at {@code refilledAtMs}. */
  public static BucketState bucket(long refilledAtMs, LimitState... limits) {
    List<LimitState> sorted =
        Arrays.stream(limits).sorted(Comparator.comparing(LimitState::name)).toList();
    return new BucketState(KEY, refilledAtMs, sorted, BucketState.NEVER, "op-before");
  }

  /** The same bucket at another stamp. */
  public static BucketState at(ConfigStamp stamp, BucketState state) {
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        state.limits(),
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        state.op(),
        stamp);
  }

  /** A stamp that is switched on. */
  public static ConfigStamp on(ConfigLevel level, long version) {
    return new ConfigStamp(
        level, RecordVersions.of(ConfigLevel.SYSTEM, version), /* disabled= */ false);
  }

  /** A stamp that is switched off. */
  public static ConfigStamp off(ConfigLevel level, long version) {
    return new ConfigStamp(
        level, RecordVersions.of(ConfigLevel.SYSTEM, version), /* disabled= */ true);
  }

  /** Whole tokens of the only limit, or of each limit in the order of their names; all named. */
  public static Amounts tokens(LimitSet limits, long... tokens) {
    Map<String, Long> named = new LinkedHashMap<>();
    for (int i = 0; i < tokens.length; i++) {
      named.put(limits.get(i).name(), tokens[i]);
    }
    return Amounts.ofTokens(limits, named);
  }
}
