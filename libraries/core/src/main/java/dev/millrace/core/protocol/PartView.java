package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.PlanEffect;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.protocol.CommitResult.Trace;
import dev.millrace.core.protocol.JointDecision.Planned;
import dev.millrace.core.store.StoreReply.Cancelled.Cause;
import org.jspecify.annotations.Nullable;

/**
 * What a joint commit knows of one of its buckets on the way.
 *
 * @param sighting the bucket as it was last seen, null when there is none or nobody looked
 * @param sure whether the store has told in this conversation, or a moment before, how the bucket
 *     is, or that there is none
 * @param trace what happened on the way
 */
record PartView(@Nullable Sighting sighting, boolean sure, Trace trace) {
  static PartView of(@Nullable Sighting known) {
    return new PartView(known, /* sure= */ false, Trace.EMPTY);
  }

  /** A bucket that did not exist a moment ago. */
  static PartView absent() {
    return new PartView(null, /* sure= */ true, Trace.EMPTY);
  }

  /** Whether a refusal may rest on it. */
  boolean isTrusted(long nowMs) {
    return sure || (sighting != null && sighting.isTrusted(nowMs));
  }

  PartView read(@Nullable BucketState found, long nowMs, PlanSettings settings) {
    return new PartView(
        found == null ? null : Sighting.read(sighting, found, nowMs, settings),
        /* sure= */ true,
        trace);
  }

  /** After a transaction that was not made; the buckets whose condition did not hold are told. */
  PartView cancelled(Cause cause, long nowMs, PlanSettings settings) {
    if (!cause.refused()) {
      return this;
    }
    BucketState found = cause.state();
    return new PartView(
        found == null ? null : Sighting.refused(sighting, found, nowMs, settings),
        /* sure= */ true,
        trace.withLostLock());
  }

  /**
   * After a transaction that was made. It does not say what it left, so that is worked out; one
   * that was made on another state than was seen leaves what was seen.
   */
  PartView committed(Planned write, long nowMs, PlanSettings settings) {
    BucketState from = sighting == null ? null : sighting.state();
    BucketState after = PlanEffect.apply(from, write.plan());
    return new PartView(
        after == null ? sighting : Sighting.wrote(write.plan(), sighting, after, nowMs, settings),
        sure,
        trace.with(write.plan(), from, write.plannedAtMs(), settings));
  }

  PartView lostAnswer() {
    return new PartView(sighting, sure, trace.withUnknownOutcome());
  }

  /** What was seen may have been changed by us or not. */
  PartView forgotten() {
    return new PartView(null, /* sure= */ false, trace);
  }
}
