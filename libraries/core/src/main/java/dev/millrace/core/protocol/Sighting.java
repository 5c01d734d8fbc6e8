package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.WritePlan;
import org.jspecify.annotations.Nullable;

/**
 * What a process last saw of a bucket. It is used to plan writes and to refuse, never to admit.
 *
 * @param state the bucket
 * @param seenAtMs when
 * @param contendedUntilMs until when others are believed to write it too
 * @param lively whether others claim its credit so often that it is fresh whenever we come
 * @param writeUnits what one write of it was billed last, 1 as long as nobody knows
 */
public record Sighting(
    BucketState state, long seenAtMs, long contendedUntilMs, boolean lively, int writeUnits) {
  /** How long a refusal may rest on a sighting. */
  public static final long TRUST_MS = 1_000;

  /** How long a bucket counts as contended after somebody else's write was noticed. */
  public static final long CONTENTION_MS = 10_000;

  /** A sighting of a bucket of which no write was billed yet. */
  public Sighting(BucketState state, long seenAtMs, long contendedUntilMs, boolean lively) {
    this(state, seenAtMs, contendedUntilMs, lively, /* writeUnits= */ 1);
  }

  /** A first sighting. */
  public static Sighting of(BucketState state, long seenAtMs) {
    return new Sighting(state, seenAtMs, Long.MIN_VALUE, /* lively= */ false, /* writeUnits= */ 1);
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

  /** The same, of which a write was billed {@code units}. */
  Sighting billed(double units) {
    int whole = Math.max(1, (int) Math.ceil(units));
    return whole == writeUnits
        ? this
        : new Sighting(state, seenAtMs, contendedUntilMs, lively, whole);
  }

  /** The same bucket, seen again. */
  public Sighting next(BucketState newState, long nowMs) {
    return new Sighting(newState, nowMs, contendedUntilMs, lively, writeUnits);
  }

  /**
   * The same bucket, changed by somebody else.
   *
   * @param freshMs how old a claim may be to count as fresh
   */
  public Sighting contendedNext(BucketState newState, long nowMs, long freshMs) {
    boolean fresh = newState.refilledAtMs() >= nowMs - freshMs;
    return new Sighting(newState, nowMs, nowMs + CONTENTION_MS, fresh, writeUnits);
  }

  /**
   * What a read found: the same bucket, changed by others or not.
   *
   * @param before what was seen last, null for nothing
   */
  static Sighting read(
      @Nullable Sighting before, BucketState found, long nowMs, PlanSettings settings) {
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
  static Sighting wrote(
      WritePlan plan,
      @Nullable Sighting before,
      BucketState after,
      long nowMs,
      PlanSettings settings) {
    if (before == null) {
      return of(after, nowMs);
    }
    boolean foreign =
        plan instanceof WritePlan.Consume && after.refilledAtMs() != before.refilledAtMs();
    return foreign
        ? before.contendedNext(after, nowMs, settings.consumeWindowMs())
        : before.next(after, nowMs);
  }

  /** What refused our write: the bucket, changed by somebody else. */
  static Sighting refused(
      @Nullable Sighting before, BucketState found, long nowMs, PlanSettings settings) {
    Sighting old = before == null ? of(found, nowMs) : before;
    return old.contendedNext(found, nowMs, settings.consumeWindowMs());
  }

  /**
   * The later of two sightings of a bucket. The refill timestamp tells, because answers overtake
   * each other; but one that was far ahead of its time has been healed since.
   *
   * @param maxSkewMs a refill timestamp further ahead than this is not believed
   */
  public static Sighting later(Sighting a, Sighting b, long maxSkewMs) {
    boolean oneWild = a.isWild(maxSkewMs) != b.isWild(maxSkewMs);
    boolean bySeen = oneWild || a.refilledAtMs() == b.refilledAtMs();
    Sighting later =
        bySeen ? (a.seenAtMs > b.seenAtMs ? a : b) : (a.refilledAtMs() > b.refilledAtMs() ? a : b);
    long contendedUntilMs = Math.max(a.contendedUntilMs, b.contendedUntilMs);
    return contendedUntilMs == later.contendedUntilMs
        ? later
        : new Sighting(
            later.state, later.seenAtMs, contendedUntilMs, later.lively, later.writeUnits);
  }

  private long refilledAtMs() {
    return state.refilledAtMs();
  }

  private boolean isWild(long maxSkewMs) {
    return refilledAtMs() > seenAtMs + maxSkewMs;
  }
}
