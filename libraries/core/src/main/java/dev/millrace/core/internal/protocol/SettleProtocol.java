package dev.millrace.core.internal.protocol;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.SaturatedMath;
import dev.millrace.core.spi.bucket.BucketExpiry;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlanner;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The protocol that writes down what a call turned out to cost, in one write that no balance can
 * refuse.
 *
 * <p>When the bucket has expired meanwhile, a charge makes a new one; what is to be given back is
 * there already, because a new bucket is full. When the shard was merged into another meanwhile,
 * that one is settled. When the answer of the write is lost and the bucket does not show it, the
 * sides differ: a refund is not sent again, because twice would mint tokens; a charge is sent
 * again, because a charge too many is the safe side. It is sent as a transaction: under its token
 * it counts once however often it is sent, so there is at most one charge too many, however many
 * answers are lost. What is not answered in the end is left to the caller, see {@link #resolve}.
 */
public final class SettleProtocol {
  /** Most writes of one settlement that were refused by one shard. */
  public static final int MAX_ATTEMPTS = 8;

  /**
   * Most times that a transaction is sent again in one conversation because its answer was lost.
   */
  public static final int MAX_RESENDS = 2;

  /** What a write costs as a transaction. */
  private static final int TRANSACTION_UNITS = 2;

  private static final StoreFailure CONTENDED = new StoreFailure(StoreFailure.Kind.CONTENDED, null);

  private final BucketKey key;
  private final LimitSet limits;
  private final EffectiveLimits terms;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /** A settlement that has not begun. */
  public SettleProtocol(
      BucketKey key, EffectiveLimits terms, PlanSettings settings, Supplier<String> ops) {
    this.key = key;
    this.limits = terms.limits();
    this.terms = terms;
    this.settings = settings;
    this.ops = ops;
  }

  /**
   * How a settlement ended.
   *
   * @param failure null when it is written down
   * @param snapshot the bucket after it, null when not seen
   * @param unknownOutcomes how many writes' answers were lost
   * @param refundsLost why nobody knows whether what was to be given back is written, although what
   *     was to be charged is; null when both are
   * @param uncertain what was to be charged and may be written, null when that is known
   */
  public record Result(
      @Nullable StoreFailure failure,
      @Nullable BucketSnapshot snapshot,
      int unknownOutcomes,
      @Nullable StoreFailure refundsLost,
      @Nullable UncertainCharge uncertain) {
    /** What is given back shared the fate of what is charged. */
    public Result(
        @Nullable StoreFailure failure, @Nullable BucketSnapshot snapshot, int unknownOutcomes) {
      this(failure, snapshot, unknownOutcomes, /* refundsLost= */ null, /* uncertain= */ null);
    }
  }

  /**
   * Begins; {@code amounts} are charged, negative ones given back.
   *
   * @param known what was last seen of the bucket: a debt that it is in lengthens its life
   */
  public Step<Result> start(Amounts amounts, @Nullable BucketSnapshot known, long nowMs) {
    return start(amounts, onlyCharges(amounts), known, nowMs);
  }

  /**
   * Begins for several leases at once.
   *
   * @param amounts the sum of all of them
   * @param charges the sum of what is charged, without what is given back: it must not be lost
   */
  Step<Result> start(Amounts amounts, Amounts charges, @Nullable BucketSnapshot known, long nowMs) {
    BucketState lastSeen = known == null ? null : known.state();
    return adjust(amounts, new Progress(0, 0, 0, charges, lastSeen, null, units(known)), nowMs);
  }

  /** Sends charges again whose first write may have been made. */
  Step<Result> again(
      Amounts charges, StoreFailure lost, @Nullable BucketSnapshot known, long nowMs) {
    BucketState lastSeen = known == null ? null : known.state();
    return adjust(charges, new Progress(0, 0, 1, charges, lastSeen, lost, units(known)), nowMs);
  }

  /**
   * Goes on with a charge of which it could not be found out whether it was written: when the
   * bucket shows it, it was; else it is sent once more, or once more under its token.
   */
  public static Step<Result> resolve(
      UncertainCharge charge, PlanSettings settings, Supplier<String> ops, long nowMs) {
    SettleProtocol settle = new SettleProtocol(charge.key(), charge.terms(), settings, ops);
    Progress progress = new Progress(0, 0, 0, charge.charges(), null, charge.failure(), 1);
    StoreCall.Transaction transaction = charge.transaction();
    return transaction != null && charge.isTokenValid(nowMs)
        ? settle.send(
            new Tokened(transaction, charge.charges(), charge.sentAtMs(), MAX_RESENDS), progress)
        : settle.readBack(charge.op(), charge.failure(), progress);
  }

  private static int units(@Nullable BucketSnapshot known) {
    return known == null ? 1 : known.writeUnits();
  }

  private record Progress(
      int attempts,
      int conflicts,
      int unknownOutcomes,
      Amounts charges,
      @Nullable BucketState lastSeen,
      @Nullable StoreFailure refundsLost,
      int units) {
    Progress attempted() {
      return new Progress(
          attempts + 1, conflicts, unknownOutcomes, charges, lastSeen, refundsLost, units);
    }

    Progress conflicted() {
      return new Progress(
          attempts, conflicts + 1, unknownOutcomes, charges, lastSeen, refundsLost, units);
    }

    Progress lostAnswer() {
      return new Progress(
          attempts, conflicts, unknownOutcomes + 1, charges, lastSeen, refundsLost, units);
    }

    /** From now on only the charges are sent: nobody knows about what is given back. */
    Progress withoutRefunds(StoreFailure lost) {
      return new Progress(attempts, conflicts, unknownOutcomes, charges, lastSeen, lost, units);
    }

    /** It goes on with another shard, of which nothing is known and which was not asked yet. */
    Progress elsewhere() {
      return new Progress(
          /* attempts= */ 0, conflicts, unknownOutcomes, charges, null, refundsLost, units);
    }

    Progress saw(BucketState state, Amounts presentCharges) {
      return new Progress(
          attempts, conflicts, unknownOutcomes, presentCharges, state, refundsLost, units);
    }

    /**
     * Whether the bucket may be forgotten: as the caller knows it, unless the bucket was seen to
     * know better. One that was made by a charge may be, whatever its stamp, until an acquire says
     * otherwise.
     */
    boolean expires(ConfigStamp known) {
      if (lastSeen == null) {
        return known.expires();
      }
      ConfigStamp stored = lastSeen.stamp();
      if (lastSeen.isDivided()) {
        return false;
      }
      return isNewer(known, stored)
          ? known.expires()
          : stored.expires() || lastSeen.expiresAtSeconds() != BucketState.NEVER;
    }

    private static boolean isNewer(ConfigStamp known, ConfigStamp stored) {
      return known.isAtLeast(stored)
          && !stored.isSilentTo(known)
          && !known.versions().equals(stored.versions());
    }
  }

  private Step<Result> adjust(Amounts amounts, Progress progress, long nowMs) {
    List<LimitChange> changes = new ArrayList<>(limits.size());
    List<LimitState> states = progress.lastSeen == null ? List.of() : progress.lastSeen.limits();
    List<Limit> each = limits.asList();
    long longestFillMs = limits.longestFillMs();
    int found = 0;
    for (int i = 0; i < each.size(); i++) {
      long milli = amounts.milli(i);
      Limit limit = each.get(i);
      LimitState known = progress.lastSeen == null ? null : progress.lastSeen.find(i, limit);
      found += known == null ? 0 : 1;
      long knownDebtMilli = known == null ? 0 : Math.min(0, known.tokensMilli());
      long balanceMilli = SaturatedMath.subtract(knownDebtMilli, milli);
      if (balanceMilli < 0) {
        long fillMs = BucketExpiry.timeToFillMs(limit, balanceMilli);
        longestFillMs = Math.max(longestFillMs, fillMs);
      }
      if (milli != 0) {
        changes.add(LimitChange.unconditional(limit.name(), -milli, milli));
      }
    }
    for (int i = 0; i < states.size() && found < states.size(); i++) {
      LimitState orphan = states.get(i);
      if (limits.indexOf(orphan.name()) < 0) {
        long fillMs = BucketExpiry.timeToFillMs(orphan.limit(), orphan.tokensMilli());
        longestFillMs = Math.max(longestFillMs, fillMs);
      }
    }
    if (changes.isEmpty()) {
      return done(null, null, progress);
    }
    if (progress.attempts == MAX_ATTEMPTS) {
      return contended(progress, nowMs);
    }
    long expiresAtSeconds =
        key.shard() == 0 && progress.expires(terms.stamp())
            ? BucketExpiry.expiresAtSeconds(nowMs, longestFillMs)
            : BucketState.NEVER;
    WritePlan plan = new WritePlan.Adjust(key, changes, expiresAtSeconds, ops.get());
    return write(plan, amounts, progress, nowMs);
  }

  private Step<Result> create(Progress progress, long nowMs) {
    Amounts charges = progress.charges;
    if (charges.isEmpty()) {
      return done(null, null, progress);
    }
    if (progress.attempts == MAX_ATTEMPTS) {
      return contended(progress, nowMs);
    }
    // The terms are as old as the lease: the bucket must not count as up to date by them.
    EffectiveLimits old = new EffectiveLimits(terms.limits(), terms.stamp().ofNoRecords());
    BucketView view =
        BucketView.of(BucketState.full(key, old, nowMs), old, nowMs, settings.maxSkewMs());
    view.settle(charges);
    return write(WritePlanner.createExpiring(view, ops.get()), charges, progress, nowMs);
  }

  private Step<Result> write(WritePlan plan, Amounts amounts, Progress progress, long sentAtMs) {
    int units = (1 + progress.attempts) * progress.units;
    if (progress.refundsLost != null) {
      WritePlan priced =
          plan.priced(progress.lastSeen, TRANSACTION_UNITS * units, settings.writeUnits());
      StoreCall.Transaction transaction =
          new StoreCall.Transaction(List.of(priced), List.of(), ops.get());
      return send(new Tokened(transaction, amounts, sentAtMs, /* resends= */ 0), progress);
    }
    return Step.Ask.one(
        new StoreCall.Write(plan.priced(progress.lastSeen, units, settings.writeUnits())),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            BucketSnapshot after =
                BucketSnapshot.of(applied.state(), nowMs).billed(applied.receipt().writeUnits());
            return done(null, after, progress);
          }
          if (reply instanceof StoreReply.Refused refused) {
            return refused(refused.state(), amounts, progress.attempted(), nowMs);
          }
          if (reply instanceof StoreReply.Unknown unknown) {
            return readBack(plan.op(), unknown.failure(), progress.lostAnswer());
          }
          if (CommitProtocol.isConflict(reply)
              && progress.conflicts < CommitProtocol.MAX_CONFLICTS) {
            return plan instanceof WritePlan.Create
                ? create(progress.conflicted(), nowMs)
                : adjust(amounts, progress.conflicted(), nowMs);
          }
          return done(CommitProtocol.failureOf(reply), null, progress);
        });
  }

  private Step<Result> refused(
      @Nullable BucketState state, Amounts amounts, Progress progress, long nowMs) {
    if (state == null && key.shard() != 0) {
      // The shard was merged into the one it was split off, with all that it held. That ends at
      // the first shard, which has none.
      return new SettleProtocol(key.parentShard(), terms, settings, ops)
          .adjust(amounts, progress.elsewhere(), nowMs);
    }
    return state == null
        ? create(progress, nowMs)
        : adjust(
            onlyPresent(amounts, state),
            progress.saw(state, onlyPresent(progress.charges, state)),
            nowMs);
  }

  /** A plain write was lost: what it was to charge is sent again unless the bucket shows it. */
  private Step<Result> readBack(String op, StoreFailure lost, Progress progress) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          BucketState state = reply instanceof StoreReply.Found found ? found.state() : null;
          if (state != null && state.op().equals(op)) {
            return done(null, BucketSnapshot.of(state, nowMs), progress);
          }
          Amounts charges = progress.charges;
          if (charges.isEmpty()) {
            return done(lost, null, progress);
          }
          return reply instanceof StoreReply.Found
              ? adjust(charges, progress.withoutRefunds(lost), nowMs)
              : uncertain(op, null, nowMs, lost, progress.withoutRefunds(lost));
        });
  }

  /**
   * A charge on its way as a transaction.
   *
   * @param sentAtMs when it was first sent
   * @param resends how often it was sent again in vain
   */
  private record Tokened(
      StoreCall.Transaction transaction, Amounts charges, long sentAtMs, int resends) {
    WritePlan plan() {
      return transaction.plans().get(0);
    }

    Tokened again() {
      return new Tokened(transaction, charges, sentAtMs, resends + 1);
    }
  }

  /** Sends charges of which an earlier write was lost, so that this one counts at most once. */
  private Step<Result> send(Tokened sent, Progress progress) {
    return Step.Ask.one(
        sent.transaction(),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Committed) {
            return done(null, null, progress);
          }
          if (reply instanceof StoreReply.Cancelled cancelled) {
            BucketState state = cancelled.causes().get(0).state();
            return state != null && state.op().equals(sent.plan().op())
                ? done(null, BucketSnapshot.of(state, nowMs), progress) // its token was forgotten
                : refused(state, sent.charges(), progress.attempted(), nowMs);
          }
          if (reply instanceof StoreReply.Unknown && sent.resends() < MAX_RESENDS) {
            return send(sent.again(), progress.lostAnswer());
          }
          if (CommitProtocol.isConflict(reply)
              && progress.conflicts < CommitProtocol.MAX_CONFLICTS) {
            return send(sent, progress.conflicted());
          }
          return uncertain(
              sent.plan().op(),
              sent.transaction(),
              sent.sentAtMs(),
              CommitProtocol.failureOf(reply),
              reply instanceof StoreReply.Unknown ? progress.lostAnswer() : progress);
        });
  }

  private Step<Result> contended(Progress progress, long nowMs) {
    return progress.refundsLost == null
        ? done(CONTENDED, null, progress)
        : uncertain(ops.get(), null, nowMs, CONTENDED, progress);
  }

  /** Leaves it to the caller to go on when the store answers. */
  private Step<Result> uncertain(
      String op,
      StoreCall.@Nullable Transaction transaction,
      long sentAtMs,
      StoreFailure failure,
      Progress progress) {
    BucketKey written = transaction == null ? key : transaction.plans().get(0).key();
    UncertainCharge charge =
        new UncertainCharge(written, terms, progress.charges, op, transaction, sentAtMs, failure);
    return new Step.Done<>(
        new Result(failure, null, progress.unknownOutcomes, progress.refundsLost, charge));
  }

  private Amounts onlyCharges(Amounts amounts) {
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = Math.max(0, amounts.milli(i));
    }
    return Amounts.ofMilli(limits, milli);
  }

  /** A limit that is no longer enforced has nothing to settle. */
  private Amounts onlyPresent(Amounts amounts, BucketState state) {
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = state.find(limits.get(i).name()) == null ? 0 : amounts.milli(i);
    }
    return Amounts.ofMilli(limits, milli);
  }

  private static Step<Result> done(
      @Nullable StoreFailure failure, @Nullable BucketSnapshot snapshot, Progress progress) {
    return new Step.Done<>(
        new Result(
            failure,
            snapshot,
            progress.unknownOutcomes,
            progress.refundsLost,
            /* uncertain= */ null));
  }
}
