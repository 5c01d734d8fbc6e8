package dev.millrace.core.internal.protocol;

import dev.millrace.Amounts;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.store.StoreFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One caller's part of a write.
 *
 * @param kind whether it asks, tells or provides
 * @param amounts how much; negative only when it tells, and then given back
 * @param leave what must be left of each limit for others; only for one that provides
 */
public record BucketDemand(Kind kind, Amounts amounts, @Nullable Amounts leave) {
  /** To take less than nothing would make tokens. */
  public BucketDemand {
    if (kind != Kind.SETTLE && amounts.givesBack()) {
      throw new IllegalArgumentException("an acquire cannot give back: " + amounts);
    }
  }

  /** Asks, tells or provides. */
  public enum Kind {
    /** Asks: all of it or nothing, never below zero. */
    ACQUIRE,
    /** Tells: what a call turned out to cost; always applied, below zero if need be. */
    SETTLE,
    /** Provides for requests to come: only from what is plenty, after everybody else. */
    PREFETCH
  }

  /** A demand that asks. */
  public static BucketDemand acquire(Amounts amounts) {
    return new BucketDemand(Kind.ACQUIRE, amounts, null);
  }

  /** A demand that tells. */
  public static BucketDemand settle(Amounts amounts) {
    return new BucketDemand(Kind.SETTLE, amounts, null);
  }

  /** A demand that provides, as long as {@code leave} stays in the bucket. */
  public static BucketDemand prefetch(Amounts amounts, Amounts leave) {
    return new BucketDemand(Kind.PREFETCH, amounts, leave);
  }

  /** The demands that leave with one write, and what becomes of each. */
  static final class Batch {
    /** The outcomes where nothing was decided. */
    static final List<Outcome> UNDECIDED = List.of();

    private static final List<BucketDemand.Kind> ORDER =
        List.of(BucketDemand.Kind.SETTLE, BucketDemand.Kind.ACQUIRE, BucketDemand.Kind.PREFETCH);

    private final LimitSet limits;
    private final List<BucketDemand> demands;

    Batch(LimitSet limits, List<BucketDemand> demands) {
      this.limits = limits;
      this.demands = List.copyOf(demands);
    }

    /** Whether nobody asks: then no balance can refuse. */
    boolean onlySettles() {
      for (BucketDemand demand : demands) {
        if (demand.kind() != BucketDemand.Kind.SETTLE) {
          return false;
        }
      }
      return true;
    }

    /**
     * Settles first, because that is already spent; then everyone who fits, in order of arrival;
     * what is provided for later comes last.
     */
    List<Outcome> take(BucketView view) {
      Outcome[] outcomes = new Outcome[demands.size()];
      for (BucketDemand.Kind kind : ORDER) {
        for (int i = 0; i < outcomes.length; i++) {
          if (demands.get(i).kind() == kind) {
            outcomes[i] = take(view, demands.get(i));
          }
        }
      }
      return Arrays.asList(outcomes);
    }

    private static Outcome take(BucketView view, BucketDemand demand) {
      Amounts amounts = demand.amounts();
      if (demand.kind() == BucketDemand.Kind.SETTLE) {
        view.settle(amounts);
        return Outcome.SETTLED;
      }
      if (view.isDisabled()) {
        return demand.kind() == BucketDemand.Kind.ACQUIRE ? Outcome.DISABLED : Outcome.SKIPPED;
      }
      Amounts leave = demand.leave();
      if (leave != null) {
        if (!view.fitsLeaving(amounts, leave)) {
          return Outcome.SKIPPED;
        }
      } else if (!view.fits(amounts)) {
        return new Outcome.Rejected(view.reject(amounts));
      }
      view.take(amounts);
      return Outcome.ADMITTED;
    }

    /**
     * Takes once more what was decided to be taken, no more and no less.
     *
     * @return whether all of that still fits
     */
    boolean takeAgain(BucketView view, List<Outcome> decided) {
      for (BucketDemand.Kind kind : ORDER) {
        for (int i = 0; i < demands.size(); i++) {
          Outcome outcome = decided.get(i);
          boolean taken = outcome instanceof Outcome.Admitted || outcome instanceof Outcome.Settled;
          if (taken
              && demands.get(i).kind() == kind
              && !take(view, demands.get(i)).equals(outcome)) {
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
      for (BucketDemand demand : demands) {
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
      for (BucketDemand demand : demands) {
        if (demand.kind() == BucketDemand.Kind.SETTLE) {
          demand.amounts().addTo(milli, chargesOnly);
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
        List<Outcome> decided, SettleProtocol.Result result, @Nullable StoreFailure failure) {
      boolean contended = failure != null && failure.kind() == StoreFailure.Kind.CONTENDED;
      boolean mayBeCharged = (failure != null && !contended) || result.unknownOutcomes() > 0;
      List<Outcome> outcomes = new ArrayList<>(demands.size());
      for (int i = 0; i < demands.size(); i++) {
        boolean settles = demands.get(i).kind() == BucketDemand.Kind.SETTLE;
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
    private static @Nullable StoreFailure ownFailure(
        BucketDemand settlement, SettleProtocol.Result result) {
      return result.failure() == null && settlement.amounts().givesBack()
          ? result.refundsLost()
          : result.failure();
    }

    /** Who was refused was not in the write, so its failure is none of theirs: no stays no. */
    private static Outcome failed(List<Outcome> decided, int index, Outcome.Unavailable outcome) {
      Outcome known = index < decided.size() ? decided.get(index) : outcome;
      return known instanceof Outcome.Admitted || known instanceof Outcome.Settled
          ? outcome
          : known;
    }
  }
}
