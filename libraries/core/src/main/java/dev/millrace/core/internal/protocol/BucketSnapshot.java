package dev.millrace.core.internal.protocol;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import org.jspecify.annotations.Nullable;

/**
 * A bucket as a store reply last showed it to this process, and when. It plans writes and refuses,
 * and never admits.
 *
 * @param state the bucket
 * @param seenAtMs when
 * @param contendedUntilMs until when others are believed to write it too
 * @param lively whether others claim its credit so often that it is fresh whenever we come
 * @param writeUnits what one write of it was billed last, 1 as long as nobody knows
 */
public record BucketSnapshot(
    BucketState state, long seenAtMs, long contendedUntilMs, boolean lively, int writeUnits) {
  /** How long a refusal may rest on a snapshot. */
  public static final long TRUST_MS = 1_000;

  /** How long a bucket counts as contended after somebody else's write was noticed. */
  public static final long CONTENTION_MS = 10_000;

  /** After so many refused writes, credit that others claim first is no longer counted on. */
  private static final int CLAIM_ATTEMPTS = 2;

  /** Who claims early: one in so many. */
  private static final int EARLY_ONE_IN = 16;

  /** A snapshot of a bucket of which no write was billed yet. */
  public BucketSnapshot(BucketState state, long seenAtMs, long contendedUntilMs, boolean lively) {
    this(state, seenAtMs, contendedUntilMs, lively, /* writeUnits= */ 1);
  }

  /** A first snapshot. */
  public static BucketSnapshot of(BucketState state, long seenAtMs) {
    return new BucketSnapshot(
        state, seenAtMs, Long.MIN_VALUE, /* lively= */ false, /* writeUnits= */ 1);
  }

  /**
   * Whether a refusal may rest on it. One that seems to lie in the future is as old as one in the
   * past: a clock that was set back must not keep a refusal alive.
   */
  public boolean isTrusted(long nowMs) {
    long ageMs = nowMs - seenAtMs;
    return -TRUST_MS < ageMs && ageMs < TRUST_MS;
  }

  /** Whether others are believed to write it too. */
  public boolean isContended(long nowMs) {
    return nowMs < contendedUntilMs;
  }

  /**
   * What can be taken now by one who was refused {@code attempts} times: in the end what is stored,
   * because what the bucket earns others claim first.
   */
  BucketView view(EffectiveLimits terms, int attempts, PlanSettings settings, long nowMs) {
    long maxSkewMs = settings.maxSkewMs();
    if (attempts >= CLAIM_ATTEMPTS && state.refilledAtMs() >= nowMs - settings.consumeWindowMs()) {
      BucketView stored = BucketView.withoutCredit(state, terms, nowMs, maxSkewMs);
      if (!stored.isOutdated() && !stored.isDisabled() && !stored.needsRepair()) {
        return stored;
      }
    }
    return BucketView.of(state, terms, nowMs, maxSkewMs);
  }

  /**
   * The write that takes what {@code view} has taken, or null to read first. A refused write costs
   * as much as an applied one, so it is worth knowing what others do: {@code
   * docs/design/adr/013-which-write-comes-first.md}.
   */
  @Nullable WritePlan plan(BucketView view, PlanSettings settings, long nowMs, String op) {
    if (view.isWithoutCredit()) {
      return WritePlanner.consume(view, settings, op);
    }
    if (!isContended(nowMs)) {
      return WritePlanner.locked(view, /* contended= */ false, op);
    }
    // So long ago that others who write it too must be expected to have done so.
    boolean old = seenAtMs < nowMs - settings.consumeWindowMs();
    if (lively && WritePlanner.canConsume(view)) {
      return !old && claimsEarly(settings, nowMs, op)
          ? WritePlanner.locked(view, /* contended= */ true, op)
          : WritePlanner.consume(view, settings, op);
    }
    // Somebody has written since: the lock would be lost, and a read is cheaper than that.
    return old ? null : WritePlanner.write(view, /* contended= */ true, settings, op);
  }

  /**
   * When many consume without claiming, the claim grows old for all of them at the same moment, and
   * all would then fight for the lock. So a few, chosen by chance, claim in the second half of the
   * window, before it is needed.
   */
  private boolean claimsEarly(PlanSettings settings, long nowMs, String op) {
    boolean secondHalf = nowMs - state.refilledAtMs() > settings.consumeWindowMs() / 2;
    int chance = (op.hashCode() * 0x9E3779B9) >>> 16; // a write's id is as good as random
    return secondHalf && chance % EARLY_ONE_IN == 0;
  }

  /** The same, of which a write was billed {@code units}. */
  BucketSnapshot billed(double units) {
    int whole = Math.max(1, (int) Math.ceil(units));
    return whole == writeUnits
        ? this
        : new BucketSnapshot(state, seenAtMs, contendedUntilMs, lively, whole);
  }

  /** The same bucket, seen again. */
  public BucketSnapshot next(BucketState newState, long nowMs) {
    return new BucketSnapshot(newState, nowMs, contendedUntilMs, lively, writeUnits);
  }

  /**
   * The same bucket, changed by somebody else.
   *
   * @param freshMs how old a claim may be to count as fresh
   */
  public BucketSnapshot contendedNext(BucketState newState, long nowMs, long freshMs) {
    boolean fresh = newState.refilledAtMs() >= nowMs - freshMs;
    return new BucketSnapshot(newState, nowMs, nowMs + CONTENTION_MS, fresh, writeUnits);
  }

  /**
   * What a read found: the same bucket, changed by others or not.
   *
   * @param before what was seen last, null for nothing
   */
  static BucketSnapshot read(
      @Nullable BucketSnapshot before, BucketState found, long nowMs, PlanSettings settings) {
    if (before == null) {
      return of(found, nowMs);
    }
    return found.op().equals(before.state().op())
        ? of(found, nowMs).billed(before.writeUnits) // nobody else wrote
        : before.contendedNext(found, nowMs, settings.consumeWindowMs());
  }

  /**
   * What our own write left; one that did not claim shows whether others did.
   *
   * @param before what was seen last, null for nothing
   */
  static BucketSnapshot wrote(
      WritePlan plan,
      @Nullable BucketSnapshot before,
      BucketState after,
      long nowMs,
      PlanSettings settings) {
    if (before == null) {
      return of(after, nowMs);
    }
    boolean foreign =
        plan instanceof WritePlan.Consume && after.refilledAtMs() != before.state.refilledAtMs();
    return foreign
        ? before.contendedNext(after, nowMs, settings.consumeWindowMs())
        : before.next(after, nowMs);
  }

  /** What refused our write: the bucket, changed by somebody else. */
  static BucketSnapshot refused(
      @Nullable BucketSnapshot before, BucketState found, long nowMs, PlanSettings settings) {
    BucketSnapshot old = before == null ? of(found, nowMs) : before;
    return old.contendedNext(found, nowMs, settings.consumeWindowMs());
  }

  /**
   * The later of two snapshots of a bucket. The refill timestamp tells, because answers overtake
   * each other; but one that was far ahead of its time has been healed since.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static BucketSnapshot later(BucketSnapshot a, BucketSnapshot b, long maxSkewMs) {
    long aRefilledMs = a.state.refilledAtMs();
    long bRefilledMs = b.state.refilledAtMs();
    boolean aWild = aRefilledMs > a.seenAtMs + maxSkewMs;
    boolean bWild = bRefilledMs > b.seenAtMs + maxSkewMs;
    boolean bySeen = aWild != bWild || aRefilledMs == bRefilledMs;
    BucketSnapshot later = (bySeen ? a.seenAtMs > b.seenAtMs : aRefilledMs > bRefilledMs) ? a : b;
    long contendedUntilMs = Math.max(a.contendedUntilMs, b.contendedUntilMs);
    return contendedUntilMs == later.contendedUntilMs
        ? later
        : new BucketSnapshot(
            later.state, later.seenAtMs, contendedUntilMs, later.lively, later.writeUnits);
  }
}
