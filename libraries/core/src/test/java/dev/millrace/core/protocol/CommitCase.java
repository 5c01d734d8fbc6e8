package dev.millrace.core.protocol;

import static dev.millrace.core.testing.Buckets.KEY;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.protocol.CommitResult.Trace;
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

  static Demand acquire(long tokens) {
    return Demand.acquire(Buckets.tokens(LIMITS, tokens));
  }

  static Demand charge(long tokens) {
    return Demand.settle(Buckets.tokens(LIMITS, tokens));
  }

  static Script<CommitResult> commit(@Nullable Sighting known, long nowMs, Demand... demands) {
    return commit(LIMITS, known, nowMs, demands);
  }

  static Script<CommitResult> commit(
      LimitSet limits, @Nullable Sighting known, long nowMs, Demand... demands) {
    return commit(Terms.ofCall(limits), known, nowMs, demands);
  }

  static Script<CommitResult> commit(
      Terms terms, @Nullable Sighting known, long nowMs, Demand... demands) {
    Commit commit = new Commit(KEY, terms, List.of(demands), PlanSettings.DEFAULT, ops());
    return Script.of(commit.start(known, nowMs));
  }

  /** A bucket seen just when it was last claimed. */
  static Sighting seen(BucketState state) {
    return Sighting.of(state, state.refilledAtMs());
  }
}
