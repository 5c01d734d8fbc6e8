package dev.millrace.core.protocol;

import dev.millrace.core.bucket.BucketExpiry;
import dev.millrace.core.bucket.BucketKey;
import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.bucket.LimitState;
import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.config.Terms;
import dev.millrace.core.limit.Limit;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.plan.LimitChange;
import dev.millrace.core.plan.PlanSettings;
import dev.millrace.core.plan.Planner;
import dev.millrace.core.plan.Pricing;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.StoreCall;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.store.StoreReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what a call turned out to cost, in one write that no balance can refuse.
 *
 * <p>When the bucket has expired meanwhile, a charge makes a new one; what is to be given back is
 * there already, because a new bucket is full. When the shard was merged into another meanwhile,
 * that one is settled. When the answer of the write is lost and the bucket does not show it, the
 * sides differ: a refund is not sent again, because twice would mint tokens; a charge is sent
 * again, once, because a charge too many is the safe side.
 */
public final class Settle {
  /** Most writes of one settlement that were refused by one shard. */
  public static final int MAX_ATTEMPTS = 8;

  private final BucketKey key;
  private final LimitSet limits;
  private final Terms terms;
  private final PlanSettings settings;
  private final Supplier<String> ops;

  /** A settlement that has not begun. */
  public Settle(BucketKey key, Terms terms, PlanSettings settings, Supplier<String> ops) {
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
   * @param sighting the bucket after it, null when not seen
   * @param unknownOutcomes how many writes' answers were lost
   * @param refundsLost why nobody knows whether what was to be given back is written, although what
   *     was to be charged is; null when both are
   */
  public record Result(
      @Nullable StoreFailure failure,
      @Nullable Sighting sighting,
      int unknownOutcomes,
      @Nullable StoreFailure refundsLost) {
    /** What is given back shared the fate of what is charged. */
    public Result(
        @Nullable StoreFailure failure, @Nullable Sighting sighting, int unknownOutcomes) {
      this(failure, sighting, unknownOutcomes, null);
    }
  }

  /**
   * Begins; {@code amounts} are charged, negative ones given back.
   *
   * @param known what was last seen of the bucket: a debt that it is in lengthens its life
   */
  public Step<Result> start(Amounts amounts, @Nullable Sighting known, long nowMs) {
    return start(amounts, onlyCharges(amounts), known, nowMs);
  }

  /**
   * Begins for several leases at once.
   *
   * @param amounts the sum of all of them
   * @param charges the sum of what is charged, without what is given back: it must not be lost
   */
  Step<Result> start(Amounts amounts, Amounts charges, @Nullable Sighting known, long nowMs) {
    BucketState lastSeen = known == null ? null : known.state();
    return adjust(amounts, new Progress(0, 0, 0, charges, lastSeen, null, units(known)), nowMs);
  }

  /** Sends charges again whose first write may have been made: for the last time. */
  Step<Result> again(Amounts charges, StoreFailure lost, @Nullable Sighting known, long nowMs) {
    BucketState lastSeen = known == null ? null : known.state();
    return adjust(charges, new Progress(0, 0, 1, charges, lastSeen, lost, units(known)), nowMs);
  }

  private static int units(@Nullable Sighting known) {
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
      if (lastSeen != null && !lastSeen.division().isWhole()) {
        return false;
      }
      if (lastSeen == null || isNewer(known, lastSeen.stamp())) {
        return known.expires();
      }
      return lastSeen.stamp().expires() || lastSeen.expiresAtSeconds() != BucketState.NEVER;
    }

    private static boolean isNewer(ConfigStamp known, ConfigStamp stored) {
      return known.isAtLeast(stored)
          && !stored.isSilentTo(known)
          && !known.versions().equals(stored.versions());
    }

    /** The balance that a limit was last seen with, 0 when it was not seen or not in debt. */
    long knownDebtMilli(String limit) {
      LimitState state = lastSeen == null ? null : lastSeen.find(limit);
      return state == null ? 0 : Math.min(0, state.tokensMilli());
    }

    /** The limits that the bucket was last seen with beside those of the caller. */
    List<LimitState> knownOrphans(LimitSet limits) {
      return lastSeen == null
          ? List.of()
          : lastSeen.limits().stream().filter(state -> limits.indexOf(state.name()) < 0).toList();
    }
  }

  private Step<Result> adjust(Amounts amounts, Progress progress, long nowMs) {
    List<LimitChange> changes = new ArrayList<>(limits.size());
    List<LimitState> debts = new ArrayList<>(limits.size());
    for (int i = 0; i < limits.size(); i++) {
      long milli = amounts.milli(i);
      Limit limit = limits.get(i);
      long debtMilli = SaturatedMath.subtract(progress.knownDebtMilli(limit.name()), milli);
      debts.add(new LimitState(limit, Math.min(0, debtMilli), 0));
      if (milli != 0) {
        changes.add(LimitChange.unconditional(limit.name(), -milli, milli));
      }
    }
    debts.addAll(progress.knownOrphans(limits));
    if (changes.isEmpty()) {
      return done(null, null, progress);
    }
    if (progress.attempts() == MAX_ATTEMPTS) {
      return done(new StoreFailure(StoreFailure.Kind.CONTENDED, null), null, progress);
    }
    long expiresAtSeconds =
        key.shard() == 0 && progress.expires(terms.stamp())
            ? BucketExpiry.expiresAtSeconds(nowMs, debts)
            : BucketState.NEVER;
    WritePlan plan = new WritePlan.Adjust(key, changes, expiresAtSeconds, ops.get());
    return write(plan, amounts, progress);
  }

  private Step<Result> create(Progress progress, long nowMs) {
    Amounts charges = progress.charges();
    if (charges.isEmpty()) {
      return done(null, null, progress);
    }
    if (progress.attempts() == MAX_ATTEMPTS) {
      return done(new StoreFailure(StoreFailure.Kind.CONTENDED, null), null, progress);
    }
    // The terms are as old as the lease: the bucket must not count as up to date by them.
    Terms old = new Terms(terms.limits(), terms.stamp().ofNoRecords());
    Projection projection =
        Projection.of(BucketState.full(key, old, nowMs), old, nowMs, settings.maxSkewMs());
    projection.settle(charges);
    return write(Planner.createExpiring(projection, ops.get()), charges, progress);
  }

  private Step<Result> write(WritePlan plan, Amounts amounts, Progress progress) {
    int units = (1 + progress.attempts()) * progress.units();
    return Step.Ask.one(
        new StoreCall.Write(
            Pricing.priced(plan, progress.lastSeen(), units, settings.writeUnits())),
        (reply, nowMs) -> {
          if (reply instanceof StoreReply.Applied applied) {
            Sighting after =
                Sighting.of(applied.state(), nowMs).billed(applied.receipt().writeUnits());
            return done(null, after, progress);
          }
          if (reply instanceof StoreReply.Refused refused) {
            return refused(refused.state(), amounts, progress.attempted(), nowMs);
          }
          if (reply instanceof StoreReply.Unknown unknown) {
            return readBack(plan, unknown.failure(), progress.lostAnswer());
          }
          if (Commit.isConflict(reply) && progress.conflicts() < Commit.MAX_CONFLICTS) {
            return plan instanceof WritePlan.Create
                ? create(progress.conflicted(), nowMs)
                : adjust(amounts, progress.conflicted(), nowMs);
          }
          return done(Commit.failureOf(reply), null, progress);
        });
  }

  private Step<Result> refused(
      @Nullable BucketState state, Amounts amounts, Progress progress, long nowMs) {
    if (state == null && key.shard() != 0) {
      // The shard was merged into the one it was split off, with all that it held. That ends at
      // the first shard, which has none.
      return new Settle(key.parentShard(), terms, settings, ops)
          .adjust(amounts, progress.elsewhere(), nowMs);
    }
    return state == null
        ? create(progress, nowMs)
        : adjust(
            onlyPresent(amounts, state),
            progress.saw(state, onlyPresent(progress.charges(), state)),
            nowMs);
  }

  private Step<Result> readBack(WritePlan plan, StoreFailure lost, Progress progress) {
    return Step.Ask.one(
        new StoreCall.Read(key),
        (reply, nowMs) -> {
          BucketState state = reply instanceof StoreReply.Found found ? found.state() : null;
          if (state != null && state.op().equals(plan.op())) {
            return done(null, Sighting.of(state, nowMs), progress);
          }
          boolean again = progress.unknownOutcomes() == 1 && reply instanceof StoreReply.Found;
          Amounts charges = progress.charges();
          return again && !charges.isEmpty()
              ? adjust(charges, progress.withoutRefunds(lost), nowMs)
              : done(lost, null, progress);
        });
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
      @Nullable StoreFailure failure, @Nullable Sighting sighting, Progress progress) {
    return new Step.Done<>(
        new Result(failure, sighting, progress.unknownOutcomes(), progress.refundsLost()));
  }
}
