package dev.millrace.core.internal.protocol;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.BucketDemand.Batch;
import dev.millrace.core.internal.protocol.CommitResult.Load;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlanner;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that brings the demands of one or more callers into one bucket with one write.
 *
 * <p>Each answer of the store, applied or refused, is a fresh copy of the bucket, so after the
 * first contact no read is needed:
 *
 * <ol>
 *   <li>A bucket never seen is read; one that does not exist is created.
 *   <li>What was seen is projected to now. Demands that fit are planned into one write. Those that
 *       do not are refused at no cost when the snapshot is fresh; else one read decides.
 *   <li>A refused write brings the state that refused it, and the decision is made again from that.
 *   <li>When the answer of a write is lost, the bucket is read: if the last write is ours, it was
 *       made. If the bucket still shows what the write would have moved (the lock of a {@link
 *       WritePlan.Locked}, or that there is no bucket yet), it was not made, and it is sent again
 *       under the same id: it takes the same, and claims the time up to now. Of the two at most one
 *       can pass, and a refusal that shows the id means that the first did. In every other case
 *       nobody can say: the demand is answered as unavailable, and the charge, if there is one,
 *       stays. A {@link WritePlan.Consume} moves nothing, so it is never sent again.
 *   <li>A bucket that follows a later configuration decides nothing for one who is behind, and one
 *       that is switched off admits nobody: both are told, on the same ground as a refusal, and
 *       nothing is charged but what is to be settled.
 * </ol>
 */
public final class CommitProtocol {
  /**
   * Most writes of one commit. Each was refused because somebody else was faster; of n writers that
   * are always at it, one in n gets through each time, so it takes a few for n to be sure, and a
   * few more for a process that gets too little of its processor.
   */
  public static final int MAX_ATTEMPTS = 64;

  /**
   * Most writes of one commit that found a transaction of somebody else under way. Each lasts a few
   * milliseconds, about as long as it takes to come again.
   */
  public static final int MAX_CONFLICTS = 8;

  /** Most times that one write is sent again because its answer was lost. */
  public static final int MAX_RESENDS = 2;

  /** How long after the first a bucket is made again: its terms must not be old. */
  private static final long CREATE_AGAIN_WITHIN_MS = 100;

  private static final StoreFailure CONTENDED = new StoreFailure(StoreFailure.Kind.CONTENDED, null);

  private final BucketKey key;
  private final EffectiveLimits terms;
  private final boolean mayCreate;
  private final Batch batch;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /** A commit that has not begun, with terms that are known to be up to date. */
  public CommitProtocol(
      BucketKey key,
      EffectiveLimits terms,
      List<BucketDemand> demands,
      PlanSettings settings,
      Supplier<String> ops) {
    this(key, terms, /* mayCreate= */ true, demands, settings, ops);
  }

  /**
   * A commit that has not begun.
   *
   * @param mayCreate whether the terms were looked up just now. Only then may a bucket be made with
   *     them: one that exists and is ahead tells whoever is behind, a new one cannot, nor can one
   *     that names no record. Otherwise those who ask are answered as outdated; when the terms say
   *     that it is switched off, nothing would be made, and that is the answer
   * @param demands at least one, all matched to the limits of {@code terms}
   * @param ops gives every write an id of its own
   */
  public CommitProtocol(
      BucketKey key,
      EffectiveLimits terms,
      boolean mayCreate,
      List<BucketDemand> demands,
      PlanSettings settings,
      Supplier<String> ops) {
    this.key = key;
    this.terms = terms;
    this.mayCreate = mayCreate;
    this.batch = new Batch(terms.limits(), demands);
    this.settings = settings;
    this.ops = ops;
  }

  /** Begins, with what the process has seen of the bucket, if anything. */
  public Step<CommitResult> start(@Nullable BucketSnapshot known, long nowMs) {
    if (batch.onlySettles()) {
      return settleApart(Batch.UNDECIDED, known, Trace.EMPTY, null, nowMs);
    }
    return known == null
        ? read(null, Course.BEGIN)
        : decide(known, known.isTrusted(nowMs), Course.BEGIN, nowMs);
  }

  /** Begins, for a bucket that did not exist a moment ago. */
  public Step<CommitResult> startAbsent(long nowMs) {
    return batch.onlySettles() ? start(null, nowMs) : create(Course.BEGIN, nowMs);
  }

  /** How far it has come: what happened, how many writes were refused, how many met others. */
  private record Course(Trace trace, int attempts, int conflicts) {
    static final Course BEGIN = new Course(Trace.EMPTY, 0, 0);

    Course attempted() {
      return new Course(trace, attempts + 1, conflicts);
    }

    Course lostLock() {
      return new Course(trace.withLostLock(), attempts, conflicts);
    }

    Course conflicted() {
      return new Course(trace, attempts, conflicts + 1);
    }
  }

  private Step<CommitResult> read(@Nullable BucketSnapshot before, Course course) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Found found) {
            BucketState state = found.state();
            return state == null
                ? create(course, nowMs)
                : decide(BucketSnapshot.read(before, state, nowMs, settings), true, course, nowMs);
          }
          return failed(
              failureOf(reply), /* mayBeCharged= */ false, Batch.UNDECIDED, null, course.trace);
        });
  }

  private Step<CommitResult> decide(
      BucketSnapshot snapshot, boolean trusted, Course course, long nowMs) {
    BucketState state = snapshot.state();
    BucketView view = snapshot.view(terms, course.attempts, settings, nowMs);
    if (view.isOutdated() || (!mayCreate && view.isSilent())) {
      // Nothing but settlements may be written by one who is behind, and those need no decision.
      return trusted
          ? settleApart(batch.outdated(state.stamp()), snapshot, course.trace, null, nowMs)
          : read(snapshot, course);
    }
    List<Outcome> outcomes = batch.take(view);
    if (!trusted && Batch.refuses(outcomes)) {
      return read(snapshot, course);
    }
    if (view.isEmpty()) {
      return new Step.Done<>(new CommitResult(outcomes, snapshot, course.trace));
    }
    if (course.attempts == MAX_ATTEMPTS) {
      // Others were faster every time. What is to be settled is settled all the same.
      return settleApart(outcomes, snapshot, course.trace, CONTENDED, nowMs);
    }
    WritePlan plan = snapshot.plan(view, settings, nowMs, ops.get());
    if (plan == null) {
      return read(snapshot, course);
    }
    Trace ifApplied = course.trace.with(plan, state, nowMs, settings);
    return write(plan, outcomes, snapshot, ifApplied, course);
  }

  /**
   * A bucket that is switched off is created only for what is to be settled. A shard that is not
   * there is never made here: its share is another one's.
   */
  private Step<CommitResult> create(Course course, long nowMs) {
    if (key.shard() != 0) {
      return settleApart(batch.gone(), null, course.trace, null, nowMs);
    }
    if (!mayCreate) {
      List<Outcome> outcomes =
          terms.stamp().disabled() ? batch.disabled() : batch.outdated(ConfigStamp.CALL);
      return settleApart(outcomes, null, course.trace, null, nowMs);
    }
    BucketView view =
        BucketView.of(BucketState.full(key, terms, nowMs), terms, nowMs, settings.maxSkewMs());
    List<Outcome> outcomes = batch.take(view);
    if (view.isEmpty()) {
      return new Step.Done<>(new CommitResult(outcomes, null, course.trace));
    }
    if (course.attempts == MAX_ATTEMPTS) {
      return failed(CONTENDED, /* mayBeCharged= */ false, outcomes, null, course.trace);
    }
    WritePlan plan = WritePlanner.create(view, ops.get());
    Trace ifApplied = course.trace.with(plan, null, nowMs, settings);
    return write(plan, outcomes, null, ifApplied, course);
  }

  private Step<CommitResult> write(
      WritePlan plan,
      List<Outcome> outcomes,
      @Nullable BucketSnapshot before,
      Trace ifApplied,
      Course course) {
    // Those that were refused were billed as well.
    int units = (1 + course.attempts) * (before == null ? 1 : before.writeUnits());
    BucketState from = before == null ? null : before.state();
    WritePlan priced = plan.priced(from, units, settings.writeUnits());
    return Step.Ask.one(
        new StoreCall.Write(priced),
        (reply, nowMs) -> {
          Course next = course.attempted();
          if (reply instanceof StoreReply.Applied applied) {
            return applied(priced, outcomes, before, applied, ifApplied, nowMs);
          }
          if (reply instanceof StoreReply.Refused refused) {
            BucketState state = refused.state();
            if (state == null) {
              return create(next, nowMs);
            }
            BucketSnapshot fresh = BucketSnapshot.refused(before, state, nowMs, settings);
            return decide(fresh, true, next.lostLock(), nowMs);
          }
          if (reply instanceof StoreReply.Unknown unknown) {
            return readBack(new Unsure(priced, outcomes, before, ifApplied, course.trace, unknown));
          }
          if (isConflict(reply) && course.conflicts < MAX_CONFLICTS) {
            Course again = course.conflicted();
            return before == null
                ? create(again, nowMs)
                : decide(before, before.isTrusted(nowMs), again, nowMs);
          }
          return failed(
              failureOf(reply), /* mayBeCharged= */ false, outcomes, before, course.trace);
        });
  }

  private Step<CommitResult> applied(
      WritePlan priced,
      List<Outcome> outcomes,
      @Nullable BucketSnapshot before,
      StoreReply.Applied reply,
      Trace trace,
      long nowMs) {
    BucketState state = reply.state();
    double units = reply.receipt().writeUnits();
    BucketSnapshot after =
        BucketSnapshot.wrote(priced, before, state, nowMs, settings).billed(units);
    Load load = Load.of(priced, state, settings.writeUnits(), nowMs);
    return new Step.Done<>(new CommitResult(outcomes, after, trace, load));
  }

  /**
   * A write whose answer was lost.
   *
   * @param plan with its price: it is sent again as it was
   * @param lost how the last answer was lost
   * @param resends how often it was sent again
   */
  private record Unsure(
      WritePlan plan,
      List<Outcome> outcomes,
      @Nullable BucketSnapshot before,
      Trace ifApplied,
      Trace ifNot,
      StoreFailure lost,
      int resends) {
    Unsure(
        WritePlan plan,
        List<Outcome> outcomes,
        @Nullable BucketSnapshot before,
        Trace ifApplied,
        Trace ifNot,
        StoreReply.Unknown unknown) {
      this(
          plan,
          outcomes,
          before,
          ifApplied.withUnknownOutcome(),
          ifNot.withUnknownOutcome(),
          unknown.failure(),
          /* resends= */ 0);
    }

    Unsure sentAgain(WritePlan next) {
      return new Unsure(next, outcomes, before, ifApplied, ifNot, lost, resends + 1);
    }

    Unsure lostAgain(StoreFailure failure) {
      return new Unsure(
          plan,
          outcomes,
          before,
          ifApplied.withUnknownOutcome(),
          ifNot.withUnknownOutcome(),
          failure,
          resends);
    }

    /** Whether {@code state} shows that it was made, and nothing since. */
    boolean isLastWriteOf(@Nullable BucketState state) {
      return state != null && state.op().equals(plan.op());
    }

    /** Whether {@code state} shows that it was not made so far, and at most one of two can be. */
    boolean isUnmade(@Nullable BucketState state, long nowMs) {
      if (plan instanceof WritePlan.Locked locked) {
        return state != null
            && state.refilledAtMs() == locked.expectedRefilledAtMs()
            && movesLock(locked);
      }
      return plan instanceof WritePlan.Create create
          && state == null
          && nowMs - create.state().refilledAtMs() <= CREATE_AGAIN_WITHIN_MS;
    }
  }

  private static boolean movesLock(WritePlan.Locked plan) {
    return plan.refilledAtMs() != plan.expectedRefilledAtMs();
  }

  private Step<CommitResult> readBack(Unsure write) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          if (!(reply instanceof StoreReply.Found found)) {
            return unseen(write, nowMs);
          }
          BucketState state = found.state();
          WritePlan again = write.isLastWriteOf(state) ? null : again(write, state, nowMs);
          return again == null ? ended(write, state, nowMs) : resend(write.sentAgain(again));
        });
  }

  /** Neither the write nor the read after it was answered. */
  private Step<CommitResult> unseen(Unsure write, long nowMs) {
    Amounts charges = batch.chargedSum();
    UncertainCharge kept =
        charges.isEmpty()
            ? null
            : new UncertainCharge(
                key, terms, charges, write.plan().op(), null, nowMs, write.lost());
    return new Step.Done<>(
        new CommitResult(
            batch.failed(write.outcomes(), write.lost(), /* mayBeCharged= */ true),
            null,
            write.ifNot(),
            Load.NONE,
            kept));
  }

  /**
   * The write that takes the same from the bucket as it is now, under the same id; null when it may
   * have been made, or would take something else: then nobody could tell which of the two was.
   */
  private @Nullable WritePlan again(Unsure write, @Nullable BucketState state, long nowMs) {
    if (write.resends() == MAX_RESENDS || !write.isUnmade(state, nowMs)) {
      return null;
    }
    BucketState from = state == null ? BucketState.full(key, terms, nowMs) : state;
    BucketView view = BucketView.of(from, terms, nowMs, settings.maxSkewMs());
    if (view.isOutdated() || !batch.takeAgain(view, write.outcomes())) {
      return null;
    }
    BucketSnapshot before = write.before();
    boolean contended = before != null && before.isContended(nowMs);
    WritePlan plan =
        state == null
            ? WritePlanner.create(view, write.plan().op())
            : WritePlanner.locked(view, contended, write.plan().op());
    int units = before == null ? 1 : before.writeUnits();
    return plan instanceof WritePlan.Locked locked && !movesLock(locked)
        ? null
        : plan.priced(state, units, settings.writeUnits());
  }

  /** The first may yet arrive, so every doubt is a doubt about both. */
  private Step<CommitResult> resend(Unsure write) {
    return Step.Ask.one(
        new StoreCall.Write(write.plan()),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            return applied(
                write.plan(), write.outcomes(), write.before(), applied, write.ifApplied(), nowMs);
          }
          if (reply instanceof StoreReply.Refused refused) {
            return ended(write, refused.state(), nowMs);
          }
          return reply instanceof StoreReply.Unknown unknown
              ? readBack(write.lostAgain(unknown.failure()))
              : ended(write, null, nowMs);
        });
  }

  /** What the bucket shows in the end: that it was made, or nothing. */
  private Step<CommitResult> ended(Unsure write, @Nullable BucketState state, long nowMs) {
    BucketSnapshot snapshot = state == null ? null : BucketSnapshot.of(state, nowMs);
    return write.isLastWriteOf(state)
        ? new Step.Done<>(new CommitResult(write.outcomes(), snapshot, write.ifApplied()))
        : settleAgain(write.outcomes(), write.lost(), snapshot, write.ifNot(), nowMs);
  }

  /**
   * Settles what is to be settled by itself, because the others' demands are not written: no
   * balance can refuse that.
   *
   * @param decided what the others are answered
   * @param failure why those who would have been admitted are not, null when there are none
   */
  private Step<CommitResult> settleApart(
      List<Outcome> decided,
      @Nullable BucketSnapshot snapshot,
      Trace trace,
      @Nullable StoreFailure failure,
      long nowMs) {
    Amounts amounts = batch.settledSum();
    if (amounts.isEmpty()) {
      SettleProtocol.Result nothing =
          new SettleProtocol.Result(null, snapshot, /* unknownOutcomes= */ 0);
      return new Step.Done<>(settled(nothing, trace, failure, decided));
    }
    return Step.map(
        new SettleProtocol(key, terms, settings, ops)
            .start(amounts, batch.chargedSum(), snapshot, nowMs),
        result -> settled(result, trace, failure, decided));
  }

  /** What an unknown write may not have written: the charges of settlements, once more. */
  private Step<CommitResult> settleAgain(
      List<Outcome> decided,
      StoreFailure lost,
      @Nullable BucketSnapshot snapshot,
      Trace trace,
      long nowMs) {
    Amounts charges = batch.chargedSum();
    if (charges.isEmpty()) {
      List<Outcome> outcomes = batch.failed(decided, lost, /* mayBeCharged= */ true);
      return new Step.Done<>(new CommitResult(outcomes, snapshot, trace));
    }
    return Step.map(
        new SettleProtocol(key, terms, settings, ops).again(charges, lost, snapshot, nowMs),
        result -> settled(result, trace, lost, decided));
  }

  private CommitResult settled(
      SettleProtocol.Result result,
      Trace trace,
      @Nullable StoreFailure failure,
      List<Outcome> decided) {
    Trace ended = trace;
    for (int i = trace.unknownOutcomes(); i < result.unknownOutcomes(); i++) {
      ended = ended.withUnknownOutcome();
    }
    return new CommitResult(
        batch.settled(decided, result, failure),
        result.snapshot(),
        ended,
        Load.NONE,
        result.uncertain());
  }

  private Step<CommitResult> failed(
      StoreFailure failure,
      boolean mayBeCharged,
      List<Outcome> decided,
      @Nullable BucketSnapshot snapshot,
      Trace trace) {
    return new Step.Done<>(
        new CommitResult(batch.failed(decided, failure, mayBeCharged), snapshot, trace));
  }

  /** Whether a write met a transaction of somebody else: it surely had no effect. */
  static boolean isConflict(StoreReply reply) {
    return reply instanceof StoreReply.NotApplied notApplied
        && notApplied.failure().kind() == StoreFailure.Kind.CONFLICT;
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
