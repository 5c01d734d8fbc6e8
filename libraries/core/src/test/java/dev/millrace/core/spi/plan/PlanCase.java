package dev.millrace.core.spi.plan;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Gen;
import java.util.ArrayList;
import java.util.List;

/**
 * A random bucket, the limits that a caller knows of it, and demands. Limits are the same, changed,
 * missing or orphaned; balances are in debt, within or above the ceiling; the refill timestamp is
 * old, fresh, slightly ahead or wild.
 */
record PlanCase(BucketState state, LimitSet limits, long nowMs, List<BucketDemand> demands) {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  static PlanCase random(Gen gen) {
    List<Limit> known = new ArrayList<>();
    List<LimitState> stored = new ArrayList<>();
    for (String name : NAMES) {
      Limit limit = limit(gen, name);
      if (gen.oneIn(5)) {
        known.add(limit);
      } else {
        stored.add(balance(gen, gen.oneIn(4) ? limit(gen, name) : limit));
        if (!gen.oneIn(4)) {
          known.add(gen.oneIn(4) ? limit : stored.get(stored.size() - 1).limit());
        }
      }
    }
    if (known.isEmpty()) {
      known.add(limit(gen, "e"));
    }
    long nowMs = gen.instantMs();
    BucketState state = Buckets.bucket(refilledAtMs(gen, nowMs), stored.toArray(LimitState[]::new));
    LimitSet limits = LimitSet.of(known);
    List<BucketDemand> demands = new ArrayList<>();
    for (long i = gen.between(1, 4); i > 0; i--) {
      demands.add(demand(gen, limits));
    }
    return new PlanCase(state, limits, nowMs, demands);
  }

  /** The case with the settles taken. */
  BucketView settle(BucketState met) {
    BucketView view = BucketView.of(met, limits, nowMs, PlanSettings.DEFAULT.maxSkewMs());
    for (BucketDemand demand : demands) {
      if (demand.kind() == BucketDemand.Kind.SETTLE) {
        view.settle(demand.amounts());
      }
    }
    return view;
  }

  /** The case with the settles taken, then each acquire that fits. */
  BucketView project() {
    BucketView view = settle(state);
    for (BucketDemand demand : demands) {
      if (demand.kind() == BucketDemand.Kind.ACQUIRE && view.fits(demand.amounts())) {
        view.take(demand.amounts());
      }
    }
    return view;
  }

  boolean isWild() {
    return state.refilledAtMs() > nowMs + PlanSettings.DEFAULT.maxSkewMs();
  }

  /** Up to when a claim goes: now, never back, and always on when limits change. */
  long claimedToMs() {
    if (isWild() || nowMs > state.refilledAtMs()) {
      return nowMs;
    }
    return state.refilledAtMs() + (state.covers(limits) ? 0 : 1);
  }

  /** The same bucket after others changed balances without moving the timestamp. */
  BucketState disturbed(Gen gen) {
    LimitState[] met =
        state.limits().stream()
            .map(
                old ->
                    gen.oneIn(2)
                        ? old
                        : new LimitState(
                            old.limit(),
                            old.tokensMilli()
                                + (gen.oneIn(2) ? 1 : -1) * gen.scaled(old.limit().burstMilli()),
                            old.consumedMilli()))
            .toArray(LimitState[]::new);
    return Buckets.bucket(state.refilledAtMs(), met);
  }

  private static Limit limit(Gen gen, String name) {
    long capacityMilli = gen.scaled(10_000_000);
    long burstMilli = gen.oneIn(2) ? capacityMilli : capacityMilli + gen.scaled(10_000_000);
    return new Limit(name, capacityMilli, burstMilli, gen.refill());
  }

  private static LimitState balance(Gen gen, Limit limit) {
    long burstMilli = limit.burstMilli();
    long tokensMilli =
        switch ((int) gen.between(0, 5)) {
          case 0 -> -gen.scaled(2 * burstMilli);
          case 1 -> burstMilli;
          case 2 -> burstMilli + gen.scaled(burstMilli);
          default -> gen.between(0, burstMilli);
        };
    return new LimitState(limit, tokensMilli, gen.scaled(1_000_000_000_000L));
  }

  private static long refilledAtMs(Gen gen, long nowMs) {
    return switch ((int) gen.between(0, 9)) {
      case 0 -> nowMs;
      case 1 -> nowMs + gen.between(1, PlanSettings.DEFAULT.maxSkewMs());
      case 2 -> nowMs + PlanSettings.DEFAULT.maxSkewMs() + gen.stretchMs();
      case 3 -> nowMs - gen.stretchMs();
      case 4, 5 -> nowMs - gen.scaled(60_000);
      default -> nowMs - gen.between(0, 2 * PlanSettings.DEFAULT.grainMs());
    };
  }

  private static BucketDemand demand(Gen gen, LimitSet limits) {
    boolean settles = gen.oneIn(3);
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      if (!gen.oneIn(3)) {
        milli[i] = gen.scaled(limits.get(i).burstMilli());
        milli[i] = settles && gen.oneIn(2) ? -milli[i] : milli[i];
      }
    }
    Amounts amounts = Amounts.ofMilli(limits, milli);
    return settles ? BucketDemand.settle(amounts) : BucketDemand.acquire(amounts);
  }
}
