package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.config.Terms;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.plan.WritePlan;
import org.jspecify.annotations.Nullable;

/**
 * Which write comes first. A refused write costs as much as an applied one, so it is worth knowing
 * what others do: {@code docs/design/adr/013-which-write-comes-first.md}.
 */
final class WriteChoice {
  /** After so many refused writes, credit that others claim first is no longer counted on. */
  private static final int CLAIM_ATTEMPTS = 2;

  /** Who claims early: one in so many. */
  private static final int EARLY_ONE_IN = 16;

  private final PlanSettings settings;

  WriteChoice(PlanSettings settings) {
    this.settings = settings;
  }

  /**
   * Whether one who was refused {@code attempts} times takes what is stored: what the bucket earns,
   * others claim first.
   */
  boolean isTooLate(BucketState state, Terms terms, int attempts, long nowMs) {
    if (attempts < CLAIM_ATTEMPTS || !isFresh(state, nowMs)) {
      return false;
    }
    Projection stored = Projection.withoutCredit(state, terms, nowMs, settings.maxSkewMs());
    return !stored.isOutdated() && !stored.isDisabled() && !stored.needsRepair();
  }

  /** What can be taken by one who is too late or not. */
  Projection project(BucketState state, Terms terms, boolean tooLate, long nowMs) {
    return tooLate
        ? Projection.withoutCredit(state, terms, nowMs, settings.maxSkewMs())
        : Projection.of(state, terms, nowMs, settings.maxSkewMs());
  }

  /** The write that takes what {@code projection} has taken, or null to read first. */
  @Nullable WritePlan choose(
      Sighting sighting, Projection projection, boolean tooLate, long nowMs, String op) {
    if (tooLate) {
      return Planner.consume(projection, settings, op);
    }
    if (!sighting.isContended(nowMs)) {
      return Planner.write(projection, /* contended= */ false, settings, op);
    }
    boolean early = claimsEarly(sighting.state(), op, nowMs);
    if (sighting.lively() && Planner.canConsume(projection)) {
      return early && !isOld(sighting, nowMs)
          ? Planner.locked(projection, /* contended= */ true, op)
          : Planner.consume(projection, settings, op);
    }
    // Somebody has written since: the lock would be lost, and a read is cheaper than that.
    return isOld(sighting, nowMs)
        ? null
        : Planner.write(projection, /* contended= */ true, settings, op);
  }

  /** Whether the last claim is so recent that a bucket may be consumed without claiming. */
  private boolean isFresh(BucketState state, long nowMs) {
    return state.refilledAtMs() >= nowMs - settings.consumeWindowMs();
  }

  /** So long ago that others who write it too must be expected to have done so. */
  private boolean isOld(Sighting sighting, long nowMs) {
    return sighting.seenAtMs() < nowMs - settings.consumeWindowMs();
  }

  /**
   * When many consume without claiming, the claim grows old for all of them at the same moment, and
   * all would then fight for the lock. So a few, chosen by chance, claim in the second half of the
   * window, before it is needed.
   */
  private boolean claimsEarly(BucketState state, String op, long nowMs) {
    boolean secondHalf = nowMs - state.refilledAtMs() > settings.consumeWindowMs() / 2;
    int chance = (op.hashCode() * 0x9E3779B9) >>> 16; // a write's id is as good as random
    return secondHalf && chance % EARLY_ONE_IN == 0;
  }
}
