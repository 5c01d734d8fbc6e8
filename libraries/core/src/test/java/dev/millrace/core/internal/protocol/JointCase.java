package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.T;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Script;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Joint commits in few words: a key, its team and its organisation, 60 a minute each. */
final class JointCase {
  static final Limit RPM = Limit.perMinute("rpm", 60);
  static final LimitSet LIMITS = LimitSet.of(RPM);
  static final ConfigStamp FIVE = Buckets.on(ConfigLevel.RESOURCE, 5);
  static final BucketKey KEY = key("key");
  static final BucketKey TEAM = key("team");

  private JointCase() {}

  static BucketKey key(String entityId) {
    return BucketKey.first("ns", entityId, "gpt-4");
  }

  /** A bucket with a balance, last claimed at T. */
  static BucketState bucket(BucketKey key, long tokens) {
    return bucket(key, T, FIVE, new LimitState(RPM, tokens * Limit.MILLI, 0));
  }

  static BucketState bucket(
      BucketKey key, long refilledAtMs, ConfigStamp stamp, LimitState... limits) {
    return new BucketState(key, refilledAtMs, List.of(limits), 7, "op-before", stamp);
  }

  static Part part(BucketKey key, long tokens) {
    return part(key, FIVE, tokens);
  }

  static Part part(BucketKey key, ConfigStamp stamp, long tokens) {
    return new Part(key, new EffectiveLimits(LIMITS, stamp), Buckets.tokens(LIMITS, tokens));
  }

  static BucketSnapshot seen(BucketState state) {
    return BucketSnapshot.of(state, T);
  }

  static Script<TransactionProtocol.Result> start(
      List<Part> parts, long nowMs, @Nullable BucketSnapshot... known) {
    TransactionProtocol commit =
        new TransactionProtocol(parts, PlanSettings.DEFAULT, CommitCase.ops());
    return Script.of(commit.start(Arrays.asList(known), nowMs));
  }

  static BucketState state(TransactionProtocol.Result result, int part) {
    return Objects.requireNonNull(result.snapshots().get(part)).state();
  }
}
