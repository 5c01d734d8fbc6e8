package dev.millrace.core.spi.plan;

import static dev.millrace.core.spi.config.ConfigLevel.RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static dev.millrace.core.testing.Buckets.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureStore;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlanEffectTest {
  private static final int CASES = 30_000;
  private static final Limit RPM = Limit.perMinute("rpm", 60);
  private static final BucketState TEN = bucket(T, holds(RPM, 10));

  /** The oracle is written by somebody who knew only the plans. */
  @Test
  void apply_anyPlanOnAnyState_isWhatTheOracleSays() {
    int[] refused = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              BucketState state = Buckets.at(ConfigStampLawsTest.stamp(gen), it.state());
              WritePlan plan = plan(gen, it, state);
              BucketState met = gen.oneIn(3) ? Buckets.at(state.stamp(), it.disturbed(gen)) : state;
              BucketState after = PlanEffect.apply(met, plan);
              StoreReply told = PureStore.execute(met, plan);
              assertThat(after)
                  .isEqualTo(told instanceof StoreReply.Applied applied ? applied.state() : null);
              refused[0] += after == null ? 1 : 0;
            });
    if (ran == CASES) {
      assertThat(refused[0]).as("both answers were met").isBetween(CASES / 20, CASES * 9 / 10);
    }
  }

  private static WritePlan plan(Gen gen, PlanCase it, BucketState state) {
    EffectiveLimits terms =
        new EffectiveLimits(
            it.limits(), gen.oneIn(4) ? ConfigStampLawsTest.stamp(gen) : state.stamp());
    BucketView view = BucketView.of(state, terms, it.nowMs(), PlanSettings.DEFAULT.maxSkewMs());
    if (view.isOutdated() || gen.oneIn(5)) {
      return new WritePlan.Adjust(
          KEY, List.of(LimitChange.unconditional("a", -gen.scaled(1_000), 5)), 7, "op");
    }
    for (BucketDemand demand : it.demands()) {
      if (view.fits(demand.amounts()) && demand.kind() == BucketDemand.Kind.ACQUIRE) {
        view.take(demand.amounts());
      }
    }
    return WritePlanner.write(view, gen.oneIn(2), PlanSettings.DEFAULT, "op");
  }

  @Test
  void apply_create_onlyWhereThereIsNone() {
    BucketState state = at(on(RESOURCE, 3), TEN);

    assertThat(PlanEffect.apply(null, new WritePlan.Create(state))).isEqualTo(state);
    assertThat(PlanEffect.apply(TEN, new WritePlan.Create(state))).isNull();
  }

  @Test
  void apply_otherThanCreateWhereThereIsNone_isRefused() {
    assertThat(PlanEffect.apply(null, consume(1))).isNull();
    assertThat(PlanEffect.apply(null, new WritePlan.Adjust(KEY, List.of(), 0, "op"))).isNull();
  }

  /** Switching moves the lock, but who consumes without it must notice too. */
  @Test
  void apply_consumeFromABucketThatIsOff_isRefused() {
    assertThat(PlanEffect.apply(at(off(RESOURCE, 3), TEN), consume(1))).isNull();
    BucketState after = PlanEffect.apply(at(on(RESOURCE, 3), TEN), consume(1));
    assertThat(Objects.requireNonNull(after).stamp()).isEqualTo(on(RESOURCE, 3));
  }

  @Test
  void apply_removalWithoutAFloor_demandsOnlyThatItIsThere() {
    WritePlan.Locked plan =
        new WritePlan.Locked(
            KEY,
            T,
            T + 1,
            List.of(),
            new WritePlan.Parameters(
                List.of(),
                List.of(),
                List.of(new WritePlan.Removal("rpm", LimitChange.NO_FLOOR)),
                on(RESOURCE, 4)),
            0,
            "op");

    BucketState inDebt = bucket(T, new LimitState(RPM, Long.MIN_VALUE, 0));
    BucketState after = Objects.requireNonNull(PlanEffect.apply(inDebt, plan));
    assertThat(after.limits()).isEmpty();
    assertThat(after.stamp()).isEqualTo(on(RESOURCE, 4));
    assertThat(PlanEffect.apply(bucket(T), plan)).isNull();
  }

  @Test
  void apply_beyondTheRange_stopsThere() {
    WritePlan.Adjust charge =
        new WritePlan.Adjust(
            KEY,
            List.of(LimitChange.unconditional("rpm", -Long.MAX_VALUE, Long.MAX_VALUE)),
            0,
            "op");

    BucketState after =
        Objects.requireNonNull(PlanEffect.apply(bucket(T, new LimitState(RPM, -10, 10)), charge));
    assertThat(after.limits()).containsExactly(new LimitState(RPM, Long.MIN_VALUE, Long.MAX_VALUE));
  }

  private static WritePlan.Consume consume(long tokens) {
    return new WritePlan.Consume(
        KEY,
        T,
        List.of(LimitChange.unconditional("rpm", -tokens * 1_000, tokens * 1_000)),
        0,
        "op");
  }
}
