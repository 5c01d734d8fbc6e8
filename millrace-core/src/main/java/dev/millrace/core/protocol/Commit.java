package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.CommitResult.Trace;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings the demands of one or more callers into one bucket with one write.
 *
 * <p>Each answer of the store, applied or refused, is a fresh copy of the bucket, so after the
 * first contact no read is needed:
 *
 * <ol>
 *   <li>A bucket never seen is read; one that does not exist is created.
 *   <li>What was seen is projected to now. Demands that fit are planned into one write. Those that
 *       do not are refused at no cost when the sighting is fresh; else one read decides.
 *   <li>A refused write brings the state that refused it, and the decision is made again from that.
 *   <li>When the answer of a write is lost, the bucket is read once: if the last write is ours, it
 *       was made. Else nobody can say, and it is not sent again: the demand is answered as
 *       unavailable, and the charge, if there is one, stays.
 * </ol>
 */
public final class Commit {
  /**
   * Most writes of one commit. Each was refused because somebody else was faster; of n writers that
   * are always at it, one in n gets through each time, so it takes a few for n to be sure.
   */
  public static final int MAX_ATTEMPTS = 24;

  /** After so many refused writes, credit that others claim first is no longer counted on. */
  private static final int CLAIM_ATTEMPTS = 2;

  private final BucketKey key;
  private final LimitSet limits;
  private final Batch batch;
  private final PlanSettings settings;
  private final Supplier<String> ops;
  private final WriteChoice choice;

  /**
   * A commit that has not begun.
   *
   * @param demands at least one, all matched to the limits of {@code terms}
   * @param ops gives every write an id of its own
   */
  public Commit(
      BucketKey key,
      Terms terms,
      List<Demand> demands,
      PlanSettings settings,
      Supplier<String> ops) {
    this.key = key;
    this.limits = terms.limits();
    this.batch = new Batch(terms.limits(), demands);
    this.choice = new WriteChoice(settings);
    this.settings = settings;
    this.ops = ops;
  }

  /** Begins, with what the process has seen of the bucket, if anything. */
  public Step<CommitResult> start(@Nullable Sighting known, long nowMs) {
    if (batch.onlySettles()) {
      return settleOnly(known, nowMs);
    }
    return known == null
        ? read(null, Trace.EMPTY, 0)
        : decide(known, known.isTrusted(nowMs), Trace.EMPTY, 0, nowMs);
  }

  private Step<CommitResult> read(@Nullable Sighting before, Trace trace, int attempts) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Found found) {
            return found.state() == null
                ? create(trace, attempts, nowMs)
                : decide(seen(before, found.state(), nowMs), true, trace, attempts, nowMs);
          }
          return failed(failureOf(reply), /* mayBeCharged= */ false, Batch.UNDECIDED, null, trace);
        });
  }

  private Step<CommitResult> decide(
      Sighting sighting, boolean trusted, Trace trace, int attempts, long nowMs) {
    BucketState state = sighting.state();
    // Whoever was too late twice takes what is stored: what the bucket earns, others claim first.
    boolean tooLate =
        attempts >= CLAIM_ATTEMPTS && choice.isFresh(state, nowMs) && state.covers(limits);
    Projection projection =
        tooLate
            ? Projection.withoutCredit(state, limits, nowMs)
            : Projection.of(state, limits, nowMs, settings.maxSkewMs());
    List<Outcome> outcomes = batch.take(projection);
    if (!trusted && outcomes.stream().anyMatch(Outcome.Rejected.class::isInstance)) {
      return read(sighting, trace, attempts);
    }
    if (projection.isEmpty()) {
      return new Step.Done<>(new CommitResult(outcomes, sighting, trace));
    }
    if (attempts == MAX_ATTEMPTS) {
      return contended(outcomes, sighting, trace, nowMs);
    }
    WritePlan plan =
        tooLate
            ? Planner.consume(projection, settings, ops.get())
            : choice.choose(sighting, projection, nowMs, ops.get());
    return plan == null
        ? read(sighting, trace, attempts)
        : write(plan, outcomes, sighting, planned(trace, plan, state, nowMs), trace, attempts + 1);
  }

  private Trace planned(Trace trace, WritePlan plan, BucketState state, long nowMs) {
    if (!(plan instanceof WritePlan.Locked locked)) {
      return trace;
    }
    Trace planned = locked.parameters().isUnchanged() ? trace : trace.withReparameterised();
    long aheadMs = state.refilledAtMs() - nowMs;
    return aheadMs > settings.maxSkewMs() ? planned.withHealed(aheadMs) : planned;
  }

  /** Others were faster every time. What is to be settled is settled all the same. */
  private Step<CommitResult> contended(
      List<Outcome> outcomes, Sighting sighting, Trace trace, long nowMs) {
    StoreFailure failure = new StoreFailure(StoreFailure.Kind.CONTENDED, null);
    if (batch.settledSum().isEmpty()) {
      return failed(failure, /* mayBeCharged= */ false, outcomes, sighting, trace);
    }
    return Step.map(
        settle().start(batch.settledSum(), batch.chargedSum(), sighting, nowMs),
        result -> settled(result, trace, failure, outcomes));
  }

  private Step<CommitResult> create(Trace trace, int attempts, long nowMs) {
    Projection projection =
        Projection.of(BucketState.full(key, limits, nowMs), limits, nowMs, settings.maxSkewMs());
    List<Outcome> outcomes = batch.take(projection);
    if (projection.isEmpty()) {
      return new Step.Done<>(new CommitResult(outcomes, null, trace));
    }
    if (attempts == MAX_ATTEMPTS) {
      StoreFailure failure = new StoreFailure(StoreFailure.Kind.CONTENDED, null);
      return failed(failure, /* mayBeCharged= */ false, outcomes, null, trace);
    }
    WritePlan plan = Planner.create(projection, ops.get());
    return write(plan, outcomes, null, trace.withCreated(), trace, attempts + 1);
  }

  /** When nobody asks, no balance can refuse: the unconditional write does. */
  private Step<CommitResult> settleOnly(@Nullable Sighting known, long nowMs) {
    return Step.map(
        settle().start(batch.settledSum(), batch.chargedSum(), known, nowMs),
        result -> settled(result, Trace.EMPTY, null, Batch.UNDECIDED));
  }

  /** What an unknown write may not have written: the charges of settlements, once more. */
  private Step<CommitResult> settleAgain(
      List<Outcome> decided,
      StoreFailure lost,
      @Nullable Sighting sighting,
      Trace trace,
      long nowMs) {
    Amounts charges = batch.chargedSum();
    return charges.isEmpty()
        ? failed(lost, /* mayBeCharged= */ true, decided, sighting, trace)
        : Step.map(
            settle().again(charges, sighting, nowMs),
            result -> settled(result, trace, lost, decided));
  }

  private Settle settle() {
    return new Settle(key, limits, settings, ops);
  }

  private CommitResult settled(
      Settle.Result result, Trace trace, @Nullable StoreFailure failure, List<Outcome> decided) {
    Trace ended = trace;
    for (int i = trace.unknownOutcomes(); i < result.unknownOutcomes(); i++) {
      ended = ended.withUnknownOutcome();
    }
    return new CommitResult(batch.settled(decided, result, failure), result.sighting(), ended);
  }

  private Step<CommitResult> write(
      WritePlan plan,
      List<Outcome> outcomes,
      @Nullable Sighting before,
      Trace ifApplied,
      Trace ifNot,
      int attempts) {
    return Step.Ask.one(
        new StoreCall.Write(plan),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            Sighting sighting = wrote(plan, before, applied.state(), nowMs);
            return new Step.Done<>(new CommitResult(outcomes, sighting, ifApplied));
          }
          if (reply instanceof StoreReply.Refused refused) {
            if (refused.state() == null) {
              return create(ifNot, attempts, nowMs);
            }
            Sighting old = before == null ? Sighting.of(refused.state(), nowMs) : before;
            Sighting fresh = old.contendedNext(refused.state(), nowMs, settings.consumeWindowMs());
            return decide(fresh, true, ifNot.withLostLock(), attempts, nowMs);
          }
          if (reply instanceof StoreReply.Unknown unknown) {
            return readBack(
                plan,
                outcomes,
                unknown.failure(),
                ifApplied.withUnknownOutcome(),
                ifNot.withUnknownOutcome());
          }
          return failed(failureOf(reply), /* mayBeCharged= */ false, outcomes, before, ifNot);
        });
  }

  private Step<CommitResult> readBack(
      WritePlan plan, List<Outcome> outcomes, StoreFailure lost, Trace ifApplied, Trace ifNot) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            return failed(lost, /* mayBeCharged= */ true, outcomes, null, ifNot);
          }
          BucketState state = found.state();
          Sighting sighting = state == null ? null : Sighting.of(state, nowMs);
          return state != null && state.op().equals(plan.op())
              ? new Step.Done<>(new CommitResult(outcomes, sighting, ifApplied))
              : settleAgain(outcomes, lost, sighting, ifNot, nowMs);
        });
  }

  /** What our own write left; one that did not claim shows whether others did. */
  private Sighting wrote(WritePlan plan, @Nullable Sighting before, BucketState after, long nowMs) {
    if (before == null) {
      return Sighting.of(after, nowMs);
    }
    boolean foreign =
        plan instanceof WritePlan.Consume && after.refilledAtMs() != before.state().refilledAtMs();
    return foreign
        ? before.contendedNext(after, nowMs, settings.consumeWindowMs())
        : before.next(after, nowMs);
  }

  /** What a read found: the same bucket, changed by others or not. */
  private Sighting seen(@Nullable Sighting before, BucketState found, long nowMs) {
    if (before == null) {
      return Sighting.of(found, nowMs);
    }
    return found.op().equals(before.state().op())
        ? new Sighting(found, nowMs, Long.MIN_VALUE, /* lively= */ false) // nobody else wrote
        : before.contendedNext(found, nowMs, settings.consumeWindowMs());
  }

  private Step<CommitResult> failed(
      StoreFailure failure,
      boolean mayBeCharged,
      List<Outcome> decided,
      @Nullable Sighting sighting,
      Trace trace) {
    return new Step.Done<>(
        new CommitResult(batch.failed(decided, failure, mayBeCharged), sighting, trace));
  }

  static StoreFailure failureOf(StoreReply reply) {
    if (reply instanceof StoreReply.NotApplied notApplied) {
      return notApplied.failure();
    }
    if (reply instanceof StoreReply.Unknown unknown) {
      return unknown.failure();
    }
    throw new IllegalStateException("a store answered a call with " + reply);
  }
}
