package dev.millrace.core.spi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.BucketDemand;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.config.ConfigStamp.RecordVersions;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What holds of soft limits and stamps, whatever the bucket and the demands. */
class ConfigStampLawsTest {
  private static final int CASES = 20_000;
  private static final long MAX_SKEW_MS = PlanSettings.DEFAULT.maxSkewMs();

  @Test
  void take_softLimitsToo_decidesAsTheHardOnesAlone() {
    int[] refused = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              LimitSet mixed = softened(gen, it.limits());
              LimitSet hard = hardOf(mixed);
              BucketView ofMixed = BucketView.of(it.state(), mixed, it.nowMs(), MAX_SKEW_MS);
              BucketView ofHard = BucketView.of(it.state(), hard, it.nowMs(), MAX_SKEW_MS);
              long[] consumedMilli = new long[mixed.size()];
              for (BucketDemand demand : settlesFirst(it.demands())) {
                Amounts amounts = over(mixed, demand.amounts());
                Amounts hardAmounts = over(hard, demand.amounts());
                boolean settles = demand.kind() == BucketDemand.Kind.SETTLE;
                boolean fits = settles || ofMixed.fits(amounts);
                assertThat(fits).isEqualTo(settles || ofHard.fits(hardAmounts));
                refused[0] += fits ? 0 : 1;
                if (settles) {
                  ofMixed.settle(amounts);
                  ofHard.settle(hardAmounts);
                } else if (fits) {
                  ofMixed.take(amounts);
                  ofHard.take(hardAmounts);
                }
                for (int i = 0; fits && i < mixed.size(); i++) {
                  consumedMilli[i] += amounts.milli(i);
                }
              }
              assertCountsAll(gen, it, ofMixed, consumedMilli);
            });
    if (ran == CASES) {
      assertThat(refused[0]).isGreaterThan(CASES / 10);
    }
  }

  private static List<BucketDemand> settlesFirst(List<BucketDemand> demands) {
    return demands.stream()
        .sorted(Comparator.comparing(demand -> demand.kind() != BucketDemand.Kind.SETTLE))
        .toList();
  }

  private static void assertCountsAll(Gen gen, PlanCase it, BucketView view, long[] consumedMilli) {
    WritePlan plan =
        WritePlanner.write(view, /* contended= */ gen.oneIn(2), PlanSettings.DEFAULT, "op");
    BucketState after = PureStore.applied(it.state(), plan);
    for (int i = 0; i < consumedMilli.length; i++) {
      String name = view.limits.get(i).name();
      LimitState before = it.state().find(name);
      assertThat(Objects.requireNonNull(after.find(name)).consumedMilli())
          .isEqualTo((before == null ? 0 : before.consumedMilli()) + consumedMilli[i]);
    }
    for (LimitChange change : changes(plan)) {
      int index = view.limits.indexOf(change.name());
      if (index >= 0 && view.limits.get(index).soft()) {
        assertThat(change.hasCeiling()).isFalse();
        if (change.hasFloor()) { // it fills the limit: nobody may have taken from it since
          LimitState read = Objects.requireNonNull(it.state().find(change.name()));
          assertThat(change.minTokensMilli()).isEqualTo(read.tokensMilli());
        }
      }
    }
  }

  @Test
  void locked_anyStamp_leavesWhatTheTermsSay() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          ConfigStamp known = stamp(gen);
          BucketState state = Buckets.at(stamp(gen), it.state());
          BucketView view =
              BucketView.of(
                  state, new EffectiveLimits(it.limits(), known), it.nowMs(), MAX_SKEW_MS);
          if (view.isOutdated()) {
            assertThat(known.isAtLeast(state.stamp())).isFalse();
            return;
          }
          WritePlan.Locked plan = WritePlanner.locked(view, /* contended= */ gen.oneIn(2), "op");
          BucketState after = PureStore.applied(state, plan);
          assertThat(after.stamp()).isEqualTo(known.over(state.stamp()));
          assertThat(after.covers(it.limits())).isTrue();
          if (known.level() != ConfigLevel.CALL) {
            assertThat(after.limits()).hasSize(it.limits().size());
          }
          assertThat(after.expiresAtSeconds() == BucketState.NEVER)
              .isEqualTo(known.level() == ConfigLevel.ENTITY_RESOURCE);
          if (!plan.parameters().set().isEmpty()
              || !plan.parameters().added().isEmpty()
              || plan.parameters().stamp() != null) {
            assertThat(plan.refilledAtMs()).isNotEqualTo(plan.expectedRefilledAtMs());
          }
          BucketView again =
              BucketView.of(
                  after, new EffectiveLimits(it.limits(), known), it.nowMs(), MAX_SKEW_MS);
          assertThat(again.differs()).as("a repair repairs").isFalse();
          assertThat(again.isDisabled()).isEqualTo(view.isDisabled());
        });
  }

  @Test
  void write_versionAloneDiffers_isAsIfItDidNot() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          ConfigStamp old = stamp(gen);
          ConfigStamp newer =
              new ConfigStamp(old.level(), newer(gen, old.versions()), old.disabled());
          BucketState state = Buckets.at(old, it.state());
          BucketView same =
              BucketView.of(state, new EffectiveLimits(it.limits(), old), it.nowMs(), MAX_SKEW_MS);
          BucketView ahead =
              BucketView.of(
                  state, new EffectiveLimits(it.limits(), newer), it.nowMs(), MAX_SKEW_MS);
          assertThat(ahead.isSilent()).isEqualTo(old.versions().equals(RecordVersions.NONE));
          if (ahead.isSilent()) {
            assertThat(ahead.needsRepair()).as("the next writer names the records").isTrue();
            return;
          }
          assertThat(ahead.needsRepair()).isEqualTo(same.needsRepair());
          assertThat(ahead.isDisabled()).isEqualTo(same.isDisabled());
          assertThat(ahead.isEmpty()).isEqualTo(same.isEmpty());
          assertThat(WritePlanner.canConsume(ahead)).isEqualTo(WritePlanner.canConsume(same));
        });
  }

  @Test
  void of_callOfLimits_isThatOfTermsOfACall() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          BucketView ofTerms =
              BucketView.of(
                  it.state(), EffectiveLimits.ofCall(it.limits()), it.nowMs(), MAX_SKEW_MS);
          BucketView ofLimits = BucketView.of(it.state(), it.limits(), it.nowMs(), MAX_SKEW_MS);
          assertThat(WritePlanner.locked(ofTerms, true, "op"))
              .isEqualTo(WritePlanner.locked(ofLimits, true, "op"));
          assertThat(WritePlanner.locked(ofLimits, true, "op").parameters().stamp()).isNull();
        });
  }

  static ConfigStamp stamp(Gen gen) {
    return new ConfigStamp(gen.pick(ConfigLevel.values()), versions(gen), gen.oneIn(3));
  }

  /** Few, so that they are often equal, ordered and incomparable. */
  static RecordVersions versions(Gen gen) {
    return new RecordVersions(
        gen.between(0, 1), gen.between(0, 2), 0, gen.between(0, 1), gen.between(0, 1));
  }

  private static RecordVersions newer(Gen gen, RecordVersions old) {
    return new RecordVersions(
        old.entity() + gen.between(0, 1),
        old.entityResource(),
        old.entityDefault() + gen.between(0, 1),
        old.resource(),
        old.system() + 1);
  }

  private static LimitSet softened(Gen gen, LimitSet limits) {
    List<Limit> mixed = new ArrayList<>();
    for (Limit limit : limits) {
      mixed.add(gen.oneIn(2) ? limit.asSoft() : limit);
    }
    mixed.add(Limit.perMinute("hard", 1_000_000_000)); // so that there is one to compare with
    return LimitSet.of(mixed);
  }

  private static LimitSet hardOf(LimitSet mixed) {
    return LimitSet.of(mixed.asList().stream().filter(limit -> !limit.soft()).toList());
  }

  /** The same amounts, of those limits that {@code limits} has. */
  private static Amounts over(LimitSet limits, Amounts amounts) {
    long[] milli = new long[limits.size()];
    for (int i = 0; i < milli.length; i++) {
      int index = amounts.limits().indexOf(limits.get(i).name());
      milli[i] = index < 0 ? 0 : amounts.milli(index);
    }
    return Amounts.ofMilli(limits, milli);
  }

  private static List<LimitChange> changes(WritePlan plan) {
    return plan instanceof WritePlan.Locked locked
        ? locked.changes()
        : ((WritePlan.Consume) plan).changes();
  }
}
