package dev.millrace.core.spi.plan;

import static dev.millrace.core.spi.config.ConfigLevel.ENTITY_RESOURCE;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.at;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.off;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Operators fill buckets and give tokens. */
class OperatorWritesTest {
  private static final PlanSettings SETTINGS = PlanSettings.DEFAULT;

  /** One millitoken a millisecond. */
  private static final Limit RPM = Limit.perMinute("rpm", 60);

  private static final Limit TPM = Limit.perMinute("tpm", 6_000);

  @Test
  void reset_all_fillsEveryLimitAndForgivesDebt() {
    BucketState state = bucket(T, new LimitState(RPM, 10_000, 7), new LimitState(TPM, -5_000, 9));

    WritePlan.Locked plan = OperatorWrites.reset(state, T + 1_000, SETTINGS, "op");

    assertThat(plan)
        .isEqualTo(
            new WritePlan.Locked(
                KEY,
                T,
                T + 1_000,
                List.of(
                    LimitChange.unconditional("rpm", 50_000, 0),
                    LimitChange.unconditional("tpm", 6_005_000, 0)),
                WritePlan.Parameters.UNCHANGED,
                T / 1_000 + 1 + 3_600,
                "op"));
    assertThat(PureStore.applied(state, plan).limits())
        .containsExactly(new LimitState(RPM, 60_000, 7), new LimitState(TPM, 6_000_000, 9));
  }

  @Test
  void reset_named_letsTheOthersEarn() {
    BucketState state = bucket(T, holds(RPM, 10), holds(TPM, -5));

    BucketState after =
        PureStore.applied(
            state, OperatorWrites.reset(state, Set.of("tpm"), T + 1_000, SETTINGS, "op"));

    assertThat(after.limits()).containsExactly(holdsMilli(RPM, 11_000), holds(TPM, 6_000));
  }

  @Test
  void topUp_moreThanFits_isClippedAtTheCeiling() {
    BucketState state = bucket(T, holds(RPM, 10), holds(TPM, 100));

    BucketState after =
        PureStore.applied(
            state,
            OperatorWrites.topUp(
                state, Map.of("rpm", 5_000L, "tpm", 90_000_000L), T + 1_000, SETTINGS, "op"));

    assertThat(after.limits()).containsExactly(holds(RPM, 16), holds(TPM, 6_000));
  }

  @Test
  void topUp_debt_isPaidFirst() {
    BucketState state = bucket(T, holds(RPM, -10));

    assertThat(
            PureStore.applied(
                    state,
                    OperatorWrites.topUp(state, Map.of("rpm", 4_000L), T + 1, SETTINGS, "op"))
                .limits())
        .containsExactly(holdsMilli(RPM, -5_999));
  }

  /** Also where the clock stands still, or is behind: a writer with an older copy must notice. */
  @Test
  void reset_noTimePassed_movesTheLockAllTheSame() {
    BucketState state = bucket(T, holds(RPM, 10));

    assertThat(OperatorWrites.reset(state, T, SETTINGS, "op").refilledAtMs()).isEqualTo(T + 1);
    assertThat(OperatorWrites.reset(state, T - 10_000, SETTINGS, "op").refilledAtMs())
        .isEqualTo(T + 1);
    assertThat(OperatorWrites.reset(state, T - 10_001, SETTINGS, "op").refilledAtMs())
        .as("a wild timestamp is healed")
        .isEqualTo(T - 10_001);
  }

  @Test
  void reset_stamp_staysAndDecidesTheExpiry() {
    BucketState state = at(off(ENTITY_RESOURCE, 5), bucket(T, holds(RPM, 10)));

    BucketState after = PureStore.applied(state, OperatorWrites.reset(state, T, SETTINGS, "op"));

    assertThat(after.stamp()).isEqualTo(off(ENTITY_RESOURCE, 5));
    assertThat(after.expiresAtSeconds()).isEqualTo(BucketState.NEVER);
  }

  @Test
  void topUp_debtLeft_livesLonger() {
    Limit daily = Limit.perDay("rpd", 100);
    BucketState state = bucket(T, holds(daily, -150));

    // 50 of debt and 100 to the ceiling: seven times a day and a half
    assertThat(
            OperatorWrites.topUp(state, Map.of("rpd", 100_000L), T, SETTINGS, "op")
                .expiresAtSeconds())
        .isEqualTo(T / 1_000 + 907_200);
  }

  @Test
  void reset_balanceAboveTheCeiling_isLeftToTheNextClaim() {
    BucketState state = bucket(T, holds(RPM, 75));

    assertThat(OperatorWrites.reset(state, T, SETTINGS, "op").changes())
        .containsExactly(LimitChange.unconditional("rpm", 0, 0));
  }

  @Test
  void reset_unknownLimit_isRefused() {
    BucketState state = bucket(T, holds(RPM, 10), holds(TPM, 10));

    assertThatThrownBy(() -> OperatorWrites.reset(state, Set.of("rpd"), T, SETTINGS, "op"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limits [rpd] are not among those of ns/key-42/gpt-4#0: [rpm, tpm]");
    assertThatThrownBy(() -> OperatorWrites.topUp(state, Map.of("rpd", 1L), T, SETTINGS, "op"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void topUp_negative_isRefused() {
    assertThatThrownBy(
            () ->
                OperatorWrites.topUp(
                    bucket(T, holds(RPM, 10)), Map.of("rpm", -1L), T, SETTINGS, "op"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit 'rpm': top-up of -1 millitokens must not be negative");
  }

  /** What is consumed or settled at the same moment without the lock is in it, exactly once. */
  @Test
  void lift_balancesChangedMeanwhile_keepsEveryChange() {
    Laws.check(
        20_000,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          BucketState state = it.state();
          if (state.limits().isEmpty()) {
            return;
          }
          Map<String, Long> gifts = new LinkedHashMap<>();
          for (LimitState limit : state.limits()) {
            if (gen.oneIn(2)) {
              gifts.put(limit.name(), gen.scaled(limit.limit().burstMilli()));
            }
          }
          WritePlan.Locked plan =
              gen.oneIn(2)
                  ? OperatorWrites.reset(state, gifts.keySet(), it.nowMs(), SETTINGS, "op")
                  : OperatorWrites.topUp(state, gifts, it.nowMs(), SETTINGS, "op");
          assertThat(plan.refilledAtMs()).isNotEqualTo(plan.expectedRefilledAtMs());
          BucketState met = it.disturbed(gen);
          BucketState alone = PureStore.applied(state, plan);
          BucketState both = PureStore.applied(met, plan);
          for (LimitState before : state.limits()) {
            String name = before.name();
            long disturbedMilli = find(met, name).tokensMilli() - before.tokensMilli();
            assertThat(find(both, name).tokensMilli())
                .isEqualTo(find(alone, name).tokensMilli() + disturbedMilli);
            assertThat(find(alone, name).tokensMilli())
                .isBetween(
                    before.balanceMilli(state.share(), state.refilledAtMs(), plan.refilledAtMs()),
                    Math.max(before.tokensMilli(), before.limit().burstMilli()));
            assertThat(find(both, name).consumedMilli()).isEqualTo(before.consumedMilli());
          }
        });
  }

  private static LimitState find(BucketState state, String name) {
    return Objects.requireNonNull(state.find(name));
  }

  private static LimitState holdsMilli(Limit limit, long milli) {
    return new LimitState(limit, milli, 0);
  }
}
