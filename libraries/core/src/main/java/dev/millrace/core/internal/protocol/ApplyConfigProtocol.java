package dev.millrace.core.internal.protocol;

import dev.millrace.BucketKey;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that brings one existing bucket to given limits and stamp, and with them its expiry.
 * Refill is settled to now at the old rate and balances are clipped to the new ceilings; nothing is
 * consumed. A difference in versions alone is written too, so that every process that is behind
 * learns of it.
 *
 * <p>It may be repeated at will: on a bucket that has the terms already, or later ones, it does
 * nothing. So a write whose answer was lost is simply looked at and, if need be, made again.
 */
public final class ApplyConfigProtocol {
  /** Most writes of one refresh; each but the last was refused because somebody was faster. */
  public static final int MAX_ATTEMPTS = 24;

  /** Most lost answers of one refresh. */
  public static final int MAX_LOST_ANSWERS = 3;

  /** After so many refused writes, a little clipped credit is given up to get through. */
  private static final int EXACT_ATTEMPTS = 4;

  private final BucketKey key;
  private final EffectiveLimits terms;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /** A refresh that has not begun. */
  public ApplyConfigProtocol(
      BucketKey key, EffectiveLimits terms, PlanSettings settings, Supplier<String> ops) {
    this.key = key;
    this.terms = terms;
    this.settings = settings;
    this.ops = ops;
  }

  /** How a refresh ended. */
  public enum Kind {
    /** The bucket has the terms now. */
    CHANGED,
    /** The bucket had them already, or later ones. */
    UNCHANGED,
    /**
     * The bucket follows a later version of one record than the terms, and an earlier one of
     * another: nothing was written, and all records must be looked up again.
     */
    OUTDATED,
    /** There is no bucket, and nothing to do. */
    ABSENT,
    /** The store failed; the bucket may have the terms or not. */
    FAILED
  }

  /**
   * How a refresh ended.
   *
   * @param state the bucket as it was last seen, null when it was not or is not there
   * @param failure null unless it failed
   */
  public record Result(Kind kind, @Nullable BucketState state, @Nullable StoreFailure failure) {}

  /**
   * The terms of a bucket that keeps its limits, because they came with calls, and follows only the
   * versions and the switch of {@code newer}. Its level is that of calls, whatever it was: nothing
   * that is stored stands behind the limits.
   */
  public static EffectiveLimits keepingLimits(BucketState state, ConfigStamp newer) {
    return new EffectiveLimits(
        LimitSet.of(state.limits().stream().map(LimitState::limit).toList()), newer.ofCall());
  }

  /** Begins; {@code known} is the bucket as it was read just now, null to read it first. */
  public Step<Result> start(@Nullable BucketState known, long nowMs) {
    Progress begin = new Progress(0, 0, 0);
    return known == null ? read(begin) : bring(known, begin, nowMs);
  }

  private record Progress(int attempts, int conflicts, int lostAnswers) {
    Progress attempted() {
      return new Progress(attempts + 1, conflicts, lostAnswers);
    }

    Progress conflicted() {
      return new Progress(attempts, conflicts + 1, lostAnswers);
    }

    Progress lostAnswer() {
      return new Progress(attempts, conflicts, lostAnswers + 1);
    }
  }

  private Step<Result> read(Progress progress) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            return failed(null, CommitProtocol.failureOf(reply));
          }
          return found.state() == null ? absent() : bring(found.state(), progress, nowMs);
        });
  }

  private Step<Result> bring(BucketState state, Progress progress, long nowMs) {
    BucketView view = BucketView.of(state, terms, nowMs, settings.maxSkewMs());
    if (view.isOutdated() && !state.stamp().isAtLeast(terms.stamp())) {
      return done(Kind.OUTDATED, state);
    }
    if (!view.differs()) {
      // Had an answer been lost, it was that write, or somebody did the same.
      return done(progress.lostAnswers() > 0 ? Kind.CHANGED : Kind.UNCHANGED, state);
    }
    if (progress.attempts() == MAX_ATTEMPTS) {
      return failed(state, new StoreFailure(StoreFailure.Kind.CONTENDED, null));
    }
    boolean contended = progress.attempts() >= EXACT_ATTEMPTS;
    return write(WritePlanner.locked(view, contended, ops.get()), state, progress);
  }

  private Step<Result> write(WritePlan plan, BucketState before, Progress progress) {
    int units = 1 + progress.attempts();
    return Step.Ask.one(
        new StoreCall.Write(plan.priced(before, units, settings.writeUnits())),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            return done(Kind.CHANGED, applied.state());
          }
          if (reply instanceof StoreReply.Refused refused) {
            return refused.state() == null
                ? absent()
                : bring(refused.state(), progress.attempted(), nowMs);
          }
          if (reply instanceof StoreReply.Unknown && progress.lostAnswers() < MAX_LOST_ANSWERS) {
            return read(progress.lostAnswer());
          }
          if (CommitProtocol.isConflict(reply)
              && progress.conflicts() < CommitProtocol.MAX_CONFLICTS) {
            return bring(before, progress.conflicted(), nowMs);
          }
          return failed(before, CommitProtocol.failureOf(reply));
        });
  }

  private static Step<Result> absent() {
    return new Step.Done<>(new Result(Kind.ABSENT, null, null));
  }

  private static Step<Result> done(Kind kind, BucketState state) {
    return new Step.Done<>(new Result(kind, state, null));
  }

  private static Step<Result> failed(@Nullable BucketState state, StoreFailure failure) {
    return new Step.Done<>(new Result(Kind.FAILED, state, failure));
  }
}
