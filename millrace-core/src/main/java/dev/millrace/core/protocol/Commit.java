package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
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
import java.util.ArrayList;
import java.util.Arrays;
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
  /** Most writes of one commit: each was refused because somebody else was faster. */
  public static final int MAX_ATTEMPTS = 8;

  /** After so many refused writes, credit that others claim first is no longer counted on. */
  private static final int CLAIM_ATTEMPTS = 2;

  /** The outcomes where nothing was decided. */
  private static final List<Outcome> UNDECIDED = List.of();

  private static final List<Demand.Kind> ORDER =
      List.of(Demand.Kind.SETTLE, Demand.Kind.ACQUIRE, Demand.Kind.PREFETCH);

  private final BucketKey key;
  private final LimitSet limits;
  private final List<Demand> demands;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /**
   * A commit that has not begun.
   *
   * @param demands at least one, all matched to {@code limits}
   * @param ops gives every write an id of its own
   */
  public Commit(
      BucketKey key,
      LimitSet limits,
      List<Demand> demands,
      PlanSettings settings,
      Supplier<String> ops) {
    this.key = key;
    this.limits = limits;
    this.demands = List.copyOf(demands);
    this.settings = settings;
    this.ops = ops;
  }

  /** Begins, with what the process has seen of the bucket, if anything. */
  public Step<CommitResult> start(@Nullable Sighting known, long nowMs) {
    if (demands.stream().allMatch(demand -> demand.kind() == Demand.Kind.SETTLE)) {
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
          return unavailable(failureOf(reply), /* mayBeCharged= */ false, UNDECIDED, null, trace);
        });
  }

  private Step<CommitResult> decide(
      Sighting sighting, boolean trusted, Trace trace, int attempts, long nowMs) {
    BucketState state = sighting.state();
    // Whoever was too late twice takes what is stored: what the bucket earns, others claim first.
    boolean tooLate = attempts >= CLAIM_ATTEMPTS && isFresh(state, nowMs) && state.covers(limits);
    Projection projection =
        tooLate
            ? Projection.withoutCredit(state, limits, nowMs)
            : Projection.of(state, limits, nowMs, settings.maxSkewMs());
    List<Outcome> outcomes = take(projection);
    if (!trusted && outcomes.stream().anyMatch(Outcome.Rejected.class::isInstance)) {
      return read(sighting, trace, attempts);
    }
    if (projection.isEmpty()) {
      return new Step.Done<>(new CommitResult(outcomes, sighting, trace));
    }
    if (attempts == MAX_ATTEMPTS) {
      return contended(outcomes, sighting, trace, nowMs);
    }
    String op = ops.get();
    boolean contended = sighting.isContended(nowMs);
    boolean shared = contended && sighting.lively() && Planner.canConsume(projection);
    boolean early = shared && claimsEarly(state, op, nowMs);
    if (tooLate || (shared && !early)) {
      WritePlan plan = Planner.consume(projection, settings, op);
      return write(plan, outcomes, sighting, trace, trace, attempts + 1);
    }
    if (contended && isOld(sighting, nowMs)) {
      // Somebody has written since: the lock would be lost, and a read is cheaper than that.
      return read(sighting, trace, attempts);
    }
    WritePlan plan =
        early
            ? Planner.locked(projection, contended, op)
            : Planner.write(projection, contended, settings, op);
    Trace planned = trace;
    if (plan instanceof WritePlan.Locked locked) {
      planned = locked.parameters().isUnchanged() ? planned : planned.withReparameterised();
      long aheadMs = state.refilledAtMs() - nowMs;
      planned = aheadMs > settings.maxSkewMs() ? planned.withHealed(aheadMs) : planned;
    }
    return write(plan, outcomes, sighting, planned, trace, attempts + 1);
  }

  /** Others were faster every time. What is to be settled is settled all the same. */
  private Step<CommitResult> contended(
      List<Outcome> outcomes, Sighting sighting, Trace trace, long nowMs) {
    StoreFailure failure = new StoreFailure(StoreFailure.Kind.CONTENDED, null);
    if (settledSum().isEmpty()) {
      return unavailable(failure, /* mayBeCharged= */ false, outcomes, sighting, trace);
    }
    Settle settle = new Settle(key, limits, settings, ops);
    return Step.map(
        settle.start(settledSum(), chargedSum(), sighting, nowMs),
        result -> settled(result, trace, failure, outcomes));
  }

  private boolean isFresh(BucketState state, long nowMs) {
    return state.refilledAtMs() >= nowMs - settings.consumeWindowMs();
  }

  /**
   * When many consume without claiming, the claim grows old for all of them at the same moment, and
   * all would then fight for the lock. So a few, chosen by chance, claim in the second half of the
   * window, before it is needed.
   */
  private boolean claimsEarly(BucketState state, String op, long nowMs) {
    long ageMs = nowMs - state.refilledAtMs();
    int chance = (op.hashCode() * 0x9E3779B9) >>> 28; // the id is as good as random: one of 16
    return ageMs > settings.consumeWindowMs() / 2 && chance == 0;
  }

  /** So long ago that others who write it too must be expected to have done so. */
  private boolean isOld(Sighting sighting, long nowMs) {
    return sighting.seenAtMs() < nowMs - settings.consumeWindowMs();
  }

  private Step<CommitResult> create(Trace trace, int attempts, long nowMs) {
    Projection projection =
        Projection.of(BucketState.full(key, limits, nowMs), limits, nowMs, settings.maxSkewMs());
    List<Outcome> outcomes = take(projection);
    if (projection.isEmpty()) {
      return new Step.Done<>(new CommitResult(outcomes, null, trace));
    }
    if (attempts == MAX_ATTEMPTS) {
      StoreFailure failure = new StoreFailure(StoreFailure.Kind.CONTENDED, null);
      return unavailable(failure, /* mayBeCharged= */ false, outcomes, null, trace);
    }
    WritePlan plan = Planner.create(projection, ops.get());
    return write(plan, outcomes, null, trace.withCreated(), trace, attempts + 1);
  }

  /** When nobody asks, no balance can refuse: the unconditional write does. */
  private Step<CommitResult> settleOnly(@Nullable Sighting known, long nowMs) {
    Settle settle = new Settle(key, limits, settings, ops);
    return Step.map(
        settle.start(settledSum(), chargedSum(), known, nowMs),
        result -> settled(result, Trace.EMPTY, null, UNDECIDED));
  }

  /** What an unknown write may not have written: the charges of settlements, once more. */
  private Step<CommitResult> settleAgain(
      List<Outcome> decided,
      StoreFailure lost,
      @Nullable Sighting sighting,
      Trace trace,
      long nowMs) {
    Amounts charges = chargedSum();
    if (charges.isEmpty()) {
      return unavailable(lost, /* mayBeCharged= */ true, decided, sighting, trace);
    }
    Settle settle = new Settle(key, limits, settings, ops);
    return Step.map(
        settle.again(charges, sighting, nowMs), result -> settled(result, trace, lost, decided));
  }

  /** Acquires in it, if there are any, failed with {@code lost} unless they were refused. */
  private CommitResult settled(
      Settle.Result result, Trace trace, @Nullable StoreFailure lost, List<Outcome> decided) {
    boolean contended = lost != null && lost.kind() == StoreFailure.Kind.CONTENDED;
    boolean mayBeCharged = (lost != null && !contended) || result.unknownOutcomes() > 0;
    List<Outcome> outcomes = new ArrayList<>(demands.size());
    for (int i = 0; i < demands.size(); i++) {
      boolean settle = demands.get(i).kind() == Demand.Kind.SETTLE;
      StoreFailure failure = settle ? result.failure() : lost;
      outcomes.add(
          failure == null
              ? Outcome.SETTLED
              : failed(decided, i, new Outcome.Unavailable(failure, mayBeCharged)));
    }
    Trace ended = trace;
    for (int i = trace.unknownOutcomes(); i < result.unknownOutcomes(); i++) {
      ended = ended.withUnknownOutcome();
    }
    return new CommitResult(outcomes, result.sighting(), ended);
  }

  private Amounts settledSum() {
    return settlements(/* chargesOnly= */ false);
  }

  private Amounts chargedSum() {
    return settlements(/* chargesOnly= */ true);
  }

  private Amounts settlements(boolean chargesOnly) {
    long[] milli = new long[limits.size()];
    for (Demand demand : demands) {
      for (int i = 0; i < milli.length && demand.kind() == Demand.Kind.SETTLE; i++) {
        long amountMilli = demand.amounts().milli(i);
        milli[i] =
            SaturatedMath.add(milli[i], chargesOnly ? Math.max(0, amountMilli) : amountMilli);
      }
    }
    return Amounts.ofMilli(limits, milli);
  }

  /**
   * Settles first, because that is already spent; then everyone who fits, in order of arrival; what
   * is provided for later comes last.
   */
  private List<Outcome> take(Projection projection) {
    Outcome[] outcomes = new Outcome[demands.size()];
    for (Demand.Kind kind : ORDER) {
      for (int i = 0; i < outcomes.length; i++) {
        if (demands.get(i).kind() == kind) {
          outcomes[i] = take(projection, demands.get(i));
        }
      }
    }
    return Arrays.asList(outcomes);
  }

  private static Outcome take(Projection projection, Demand demand) {
    Amounts amounts = demand.amounts();
    if (demand.kind() == Demand.Kind.SETTLE) {
      projection.settle(amounts);
      return Outcome.SETTLED;
    }
    Amounts leave = demand.leave();
    if (leave != null) {
      if (!projection.fitsLeaving(amounts, leave)) {
        return Outcome.SKIPPED;
      }
    } else if (!projection.fits(amounts)) {
      return new Outcome.Rejected(projection.reject(amounts));
    }
    projection.take(amounts);
    return Outcome.ADMITTED;
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
          return unavailable(failureOf(reply), /* mayBeCharged= */ false, outcomes, before, ifNot);
        });
  }

  private Step<CommitResult> readBack(
      WritePlan plan, List<Outcome> outcomes, StoreFailure lost, Trace ifApplied, Trace ifNot) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            return unavailable(lost, /* mayBeCharged= */ true, outcomes, null, ifNot);
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

  private Step<CommitResult> unavailable(
      StoreFailure failure,
      boolean mayBeCharged,
      List<Outcome> decided,
      @Nullable Sighting sighting,
      Trace trace) {
    List<Outcome> outcomes = new ArrayList<>(demands.size());
    for (int i = 0; i < demands.size(); i++) {
      outcomes.add(failed(decided, i, new Outcome.Unavailable(failure, mayBeCharged)));
    }
    return new Step.Done<>(new CommitResult(outcomes, sighting, trace));
  }

  /** Who was refused was not in the write, so its failure is none of theirs: no stays no. */
  private static Outcome failed(List<Outcome> decided, int index, Outcome.Unavailable outcome) {
    Outcome known = index < decided.size() ? decided.get(index) : outcome;
    return known instanceof Outcome.Rejected || known instanceof Outcome.Skipped ? known : outcome;
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
