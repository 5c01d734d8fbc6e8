package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.KEY;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commits in few words: one limit of 60 a minute, which earns a millitoken a millisecond. */
final class CommitCase {
  static final Limit RPM = Limit.perMinute("rpm", 60);
  static final LimitSet LIMITS = LimitSet.of(RPM);
  static final Trace NOTHING = Trace.EMPTY;

  private CommitCase() {}

  /** Ids in their order: op-1, op-2, … */
  static Supplier<String> ops() {
    int[] next = new int[1];
    return () -> "op-" + ++next[0];
  }

  static BucketDemand acquire(long tokens) {
    return BucketDemand.acquire(Buckets.tokens(LIMITS, tokens));
  }

  static BucketDemand charge(long tokens) {
    return BucketDemand.settle(Buckets.tokens(LIMITS, tokens));
  }

  static Script<CommitResult> commit(
      @Nullable BucketSnapshot known, long nowMs, BucketDemand... demands) {
    return commit(LIMITS, known, nowMs, demands);
  }

  static Script<CommitResult> commit(
      LimitSet limits, @Nullable BucketSnapshot known, long nowMs, BucketDemand... demands) {
    return commit(EffectiveLimits.ofCall(limits), known, nowMs, demands);
  }

  static Script<CommitResult> commit(
      EffectiveLimits terms, @Nullable BucketSnapshot known, long nowMs, BucketDemand... demands) {
    CommitProtocol commit =
        new CommitProtocol(KEY, terms, List.of(demands), PlanSettings.DEFAULT, ops());
    return Script.of(commit.start(known, nowMs));
  }

  /** A bucket seen just when it was last claimed. */
  static BucketSnapshot seen(BucketState state) {
    return BucketSnapshot.of(state, state.refilledAtMs());
  }
}
