package dev.millrace.core.protocol;

import dev.millrace.core.config.ConfigStamp;
import dev.millrace.core.limit.LimitSet;
import dev.millrace.core.limit.SaturatedMath;
import dev.millrace.core.plan.Demand;
import dev.millrace.core.plan.Projection;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.request.Amounts;
import dev.millrace.core.store.StoreFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The demands that leave with one write, and what becomes of each. */
final class Batch {
  /** The outcomes where nothing was decided. */
  static final List<Outcome> UNDECIDED = List.of();

  private static final List<Demand.Kind> ORDER =
      List.of(Demand.Kind.SETTLE, Demand.Kind.ACQUIRE, Demand.Kind.PREFETCH);

  private final LimitSet limits;
  private final List<Demand> demands;

  Batch(LimitSet limits, List<Demand> demands) {
    this.limits = limits;
    this.demands = List.copyOf(demands);
  }

  /** Whether nobody asks: then no balance can refuse. */
  boolean onlySettles() {
    for (Demand demand : demands) {
      if (demand.kind() != Demand.Kind.SETTLE) {
        return false;
      }
    }
    return true;
  }

  /**
   * Settles first, because that is already spent; then everyone who fits, in order of arrival; what
   * is provided for later comes last.
   */
  List<Outcome> take(Projection projection) {
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
    if (projection.isDisabled()) {
      return demand.kind() == Demand.Kind.ACQUIRE ? Outcome.DISABLED : Outcome.SKIPPED;
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

  /**
   * Takes once more what was decided to be taken, no more and no less.
   *
   * @return whether all of that still fits
   */
  boolean takeAgain(Projection projection, List<Outcome> decided) {
    for (Demand.Kind kind : ORDER) {
      for (int i = 0; i < demands.size(); i++) {
        Outcome outcome = decided.get(i);
        boolean taken = outcome instanceof Outcome.Admitted || outcome instanceof Outcome.Settled;
        if (taken
            && demands.get(i).kind() == kind
            && !take(projection, demands.get(i)).equals(outcome)) {
          return false;
        }
      }
    }
    return true;
  }

  /** What those are answered who ask although the bucket is ahead of them. */
  List<Outcome> outdated(ConfigStamp stamp) {
    return answered(new Outcome.Outdated(stamp));
  }

  /** What those are answered who ask a shard that is not there. */
  List<Outcome> gone() {
    return answered(Outcome.GONE);
  }

  /** What those are answered who ask for what is switched off. */
  List<Outcome> disabled() {
    return answered(Outcome.DISABLED);
  }

  private List<Outcome> answered(Outcome toWhoAsks) {
    List<Outcome> outcomes = new ArrayList<>(demands.size());
    for (Demand demand : demands) {
      outcomes.add(
          switch (demand.kind()) {
            case SETTLE -> Outcome.SETTLED;
            case ACQUIRE -> toWhoAsks;
            case PREFETCH -> Outcome.SKIPPED;
          });
    }
    return outcomes;
  }

  /** Whether one of {@code outcomes} must rest on what was seen just now. */
  static boolean refuses(List<Outcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      if (outcome instanceof Outcome.Rejected || outcome instanceof Outcome.Disabled) {
        return true;
      }
    }
    return false;
  }

  /** The sum of what is to be settled. */
  Amounts settledSum() {
    return settlements(/* chargesOnly= */ false);
  }

  /** The sum of what is to be charged, without what is to be given back: it must not be lost. */
  Amounts chargedSum() {
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

  /** The outcomes of a write that failed. */
  List<Outcome> failed(List<Outcome> decided, StoreFailure failure, boolean mayBeCharged) {
    List<Outcome> outcomes = new ArrayList<>(demands.size());
    for (int i = 0; i < demands.size(); i++) {
      outcomes.add(failed(decided, i, new Outcome.Unavailable(failure, mayBeCharged)));
    }
    return outcomes;
  }

  /**
   * The outcomes when what is to be settled was settled by itself.
   *
   * @param failure what became of those who asked, null when nobody did or they were answered
   */
  List<Outcome> settled(
      List<Outcome> decided, Settle.Result result, @Nullable StoreFailure failure) {
    boolean contended = failure != null && failure.kind() == StoreFailure.Kind.CONTENDED;
    boolean mayBeCharged = (failure != null && !contended) || result.unknownOutcomes() > 0;
    List<Outcome> outcomes = new ArrayList<>(demands.size());
    for (int i = 0; i < demands.size(); i++) {
      boolean settles = demands.get(i).kind() == Demand.Kind.SETTLE;
      StoreFailure own = settles ? ownFailure(demands.get(i), result) : failure;
      if (own != null) {
        outcomes.add(failed(decided, i, new Outcome.Unavailable(own, mayBeCharged)));
      } else {
        outcomes.add(settles ? Outcome.SETTLED : decided.get(i));
      }
    }
    return outcomes;
  }

  /** What is given back is not sent again when its answer is lost; what is charged is. */
  private static @Nullable StoreFailure ownFailure(Demand settlement, Settle.Result result) {
    return result.failure() == null && givesBack(settlement.amounts())
        ? result.refundsLost()
        : result.failure();
  }

  private static boolean givesBack(Amounts amounts) {
    for (int i = 0; i < amounts.limits().size(); i++) {
      if (amounts.milli(i) < 0) {
        return true;
      }
    }
    return false;
  }

  /** Who was refused was not in the write, so its failure is none of theirs: no stays no. */
  private static Outcome failed(List<Outcome> decided, int index, Outcome.Unavailable outcome) {
    Outcome known = index < decided.size() ? decided.get(index) : outcome;
    return known instanceof Outcome.Admitted || known instanceof Outcome.Settled ? outcome : known;
  }
}
