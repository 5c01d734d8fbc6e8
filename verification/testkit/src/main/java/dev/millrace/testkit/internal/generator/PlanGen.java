package dev.millrace.testkit.internal.generator;

import dev.millrace.Amounts;
import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.BucketView;
import dev.millrace.core.spi.plan.OperatorWrites;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.plan.WritePlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Random plans: as a limiter makes them, from what it saw last or from something older, and with
 * one thing about them wrong ({@link PlanTwist}).
 */
public final class PlanGen {
  /** How often a demand that does not fit is halved before it is given up. */
  private static final int MAX_HALVINGS = 4;

  private PlanGen() {}

  /**
   * A plan for the bucket at {@code key}.
   *
   * @param history the states of the bucket, the present one last; empty when it never existed
   */
  public static WritePlan plan(
      RandomGenerator random, BucketKey key, List<BucketState> history, String op) {
    if (history.isEmpty()) {
      BucketState imagined = Gen.bucketState(random, key, op);
      return Gen.oneIn(random, 3) ? planned(random, imagined, op) : create(random, key, op);
    }
    BucketState current = history.get(history.size() - 1);
    BucketState seen = Gen.oneIn(random, 3) ? Gen.oneOf(random, history) : current;
    WritePlan plan =
        switch (random.nextInt(13)) {
          case 0 -> create(random, key, op);
          case 1, 2, 3 -> adjust(random, seen, op);
          case 4 -> lift(random, seen, op);
          case 5 -> ShardGen.resizeOr(random, seen, planned(random, seen, op), op);
          default -> planned(random, seen, op);
        };
    plan = ShardGen.priced(random, plan, seen);
    return Gen.oneIn(random, 3) ? PlanTwist.twist(random, plan, current) : plan;
  }

  /** A plan that creates a bucket: as a limiter does, or with whatever a bucket may hold. */
  public static WritePlan.Create create(RandomGenerator random, BucketKey key, String op) {
    if (key.shard() != 0 || random.nextBoolean()) { // a limiter creates the first shard only
      return new WritePlan.Create(Gen.bucketState(random, key, op));
    }
    EffectiveLimits terms = Gen.terms(random);
    BucketState full = BucketState.full(key, terms.limits(), Gen.timeMs(random));
    BucketView projection = projection(random, full, terms, full.refilledAtMs());
    return random.nextBoolean()
        ? WritePlanner.create(projection, op)
        : WritePlanner.createExpiring(projection, op);
  }

  /** The plan that a limiter makes for a bucket that it saw as {@code seen}. */
  public static WritePlan planned(RandomGenerator random, BucketState seen, String op) {
    long nowMs = seen.refilledAtMs() + Gen.stepMs(random);
    BucketView projection = projection(random, seen, termsOf(random, seen), nowMs);
    return Gen.oneIn(random, 6)
        ? WritePlanner.consume(projection, PlanSettings.DEFAULT, op)
        : WritePlanner.write(projection, random.nextBoolean(), PlanSettings.DEFAULT, op);
  }

  /** An operator's plan that fills a bucket, or gives it something. */
  public static WritePlan.Locked lift(RandomGenerator random, BucketState seen, String op) {
    long nowMs = seen.refilledAtMs() + Gen.stepMs(random);
    if (random.nextBoolean()) {
      return OperatorWrites.reset(seen, nowMs, PlanSettings.DEFAULT, op);
    }
    LimitState some = Gen.oneOf(random, seen.limits());
    Map<String, Long> gift = Map.of(some.name(), Gen.amountMilli(random, some.limit()));
    return OperatorWrites.topUp(seen, gift, nowMs, PlanSettings.DEFAULT, op);
  }

  /** A plan that charges or gives back, for some of the limits that were seen. */
  public static WritePlan.Adjust adjust(RandomGenerator random, BucketState seen, String op) {
    List<LimitChange> changes = new ArrayList<>();
    for (LimitState state : seen.limits()) {
      if (random.nextBoolean()) {
        long costMilli = Gen.amountMilli(random, state.limit());
        costMilli = random.nextBoolean() ? costMilli : -costMilli;
        changes.add(LimitChange.unconditional(state.name(), -costMilli, costMilli));
      }
    }
    long expiresAtSeconds =
        seen.division().isWhole() ? seen.expiresAtSeconds() + 60 : BucketState.NEVER;
    return new WritePlan.Adjust(seen.key(), changes, expiresAtSeconds, op);
  }

  private static BucketView projection(
      RandomGenerator random, BucketState state, EffectiveLimits terms, long nowMs) {
    LimitSet limits = terms.limits();
    BucketView projection = BucketView.of(state, terms, nowMs, PlanSettings.DEFAULT.maxSkewMs());
    if (Gen.oneIn(random, 3)) {
      projection.settle(Gen.settlement(random, limits));
    }
    Amounts wanted = Gen.amounts(random, limits);
    for (int i = 0; i < MAX_HALVINGS && !projection.fits(wanted); i++) {
      wanted = half(wanted);
    }
    if (projection.fits(wanted)) {
      projection.take(wanted);
    }
    return projection;
  }

  private static Amounts half(Amounts amounts) {
    long[] milli = new long[amounts.limits().size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = amounts.milli(i) / 2;
    }
    return Amounts.ofMilli(amounts.limits(), milli);
  }

  /**
   * The terms that the caller knows: mostly those of the bucket, else others. Never older ones: who
   * knows only those plans nothing.
   */
  private static EffectiveLimits termsOf(RandomGenerator random, BucketState seen) {
    ConfigStamp stamp = seen.stamp();
    if (Gen.oneIn(random, 3)) {
      ConfigStamp other = Gen.stamp(random);
      stamp =
          new ConfigStamp(
              other.level(), other.versions().latest(stamp.versions()), other.disabled());
    }
    return new EffectiveLimits(limitsOf(random, seen), stamp);
  }

  /** The limits that the caller has in mind: mostly those of the bucket, else somewhat others. */
  private static LimitSet limitsOf(RandomGenerator random, BucketState seen) {
    TreeMap<String, Limit> limits = new TreeMap<>();
    seen.limits().forEach(state -> limits.put(state.name(), state.limit()));
    if (Gen.oneIn(random, 3)) {
      for (Limit other : Gen.limitSetWithSoft(random)) {
        limits.put(other.name(), other);
      }
      limits.keySet().removeIf(name -> Gen.oneIn(random, 3));
    }
    List<Limit> some = limits.values().stream().limit(LimitSet.MAX_LIMITS).toList();
    return some.isEmpty() ? Gen.limitSetWithSoft(random) : LimitSet.of(some);
  }
}
