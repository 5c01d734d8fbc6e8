package dev.millrace.core.spi.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds of every plan, whatever the bucket and the demands. */
class PlanLawsTest {
  private static final int CASES = 30_000;

  @Test
  void take_thenGivenBack_isIdentity() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          BucketView before = it.project();
          BucketView after = it.project();
          Amounts amounts = someThatFits(gen, after);
          after.take(amounts);
          after.settle(amounts.negated());
          for (int i = 0; i < it.limits().size(); i++) {
            assertThat(after.balanceMilli(i)).isEqualTo(before.balanceMilli(i));
            assertThat(after.acquiredMilli(i) + after.settledMilli(i))
                .isEqualTo(before.acquiredMilli(i) + before.settledMilli(i));
          }
        });
  }

  @Test
  void locked_onTheStateItWasPlannedFrom_givesTheProjectedBucket() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          BucketView view = it.project();
          BucketState after = PureStore.applied(it.state(), locked(view));
          for (int i = 0; i < it.limits().size(); i++) {
            Limit limit = it.limits().get(i);
            LimitState old = it.state().find(limit.name());
            LimitState now = Objects.requireNonNull(after.find(limit.name()));
            assertThat(now.limit()).isEqualTo(limit);
            assertThat(now.tokensMilli()).isEqualTo(view.balanceMilli(i));
            assertThat(now.consumedMilli())
                .isEqualTo(
                    (old == null ? 0 : old.consumedMilli())
                        + view.acquiredMilli(i)
                        + view.settledMilli(i));
          }
          assertThat(after.op()).isEqualTo("op");
        });
  }

  @Test
  void locked_always_changesOrRemovesEveryStoredLimitAndAddsTheOthers() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          WritePlan.Locked plan = locked(it.project());
          List<String> touched = new ArrayList<>();
          plan.changes().forEach(change -> touched.add(change.name()));
          plan.parameters().removed().forEach(removal -> touched.add(removal.name()));
          assertThat(touched)
              .containsExactlyInAnyOrderElementsOf(
                  it.state().limits().stream().map(LimitState::name).toList());
          Set<String> added = new HashSet<>(it.limits().names());
          touched.forEach(added::remove);
          assertThat(plan.parameters().added())
              .extracting(LimitState::name)
              .containsExactlyInAnyOrderElementsOf(added);
        });
  }

  @Test
  void locked_orphan_earnsAllOfItsCreditOrIsFullWhenItGoes() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          BucketState after = PureStore.applied(it.state(), locked(it.project()));
          for (LimitState stored : it.state().limits()) {
            if (it.limits().indexOf(stored.name()) < 0) {
              long balanceMilli =
                  stored.balanceMilli(
                      it.state().share(), it.state().refilledAtMs(), it.claimedToMs());
              LimitState kept = after.find(stored.name());
              if (kept == null) {
                assertThat(balanceMilli).isEqualTo(stored.limit().burstMilli());
              } else {
                assertThat(balanceMilli).isLessThan(stored.limit().burstMilli());
                assertThat(kept)
                    .isEqualTo(
                        new LimitState(stored.limit(), balanceMilli, stored.consumedMilli()));
              }
            }
          }
        });
  }

  @Test
  void locked_timestamp_neverGoesBackExceptToHeal() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          WritePlan.Locked plan = locked(it.project());
          assertThat(plan.expectedRefilledAtMs()).isEqualTo(it.state().refilledAtMs());
          assertThat(plan.refilledAtMs()).isEqualTo(it.claimedToMs());
        });
  }

  @Test
  void locked_afterwards_noBalanceIsAboveItsCeilingAndNoneThatWasAskedIsInDebt() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          BucketView view = it.project();
          BucketState after = PureStore.applied(it.state(), locked(view));
          for (LimitState limit : after.limits()) {
            assertThat(limit.tokensMilli()).isLessThanOrEqualTo(limit.limit().burstMilli());
            int index = it.limits().indexOf(limit.name());
            if (index >= 0 && view.isNamed(index)) {
              assertThat(limit.tokensMilli()).isNotNegative();
            }
          }
        });
  }

  @Test
  void locked_limitsChange_movesTheLock() {
    Laws.check(
        CASES,
        gen -> {
          PlanCase it = PlanCase.random(gen);
          WritePlan.Locked plan = locked(it.project());
          // A limit that only goes is noticed by its absence.
          if (!plan.parameters().set().isEmpty() || !plan.parameters().added().isEmpty()) {
            assertThat(plan.refilledAtMs()).isNotEqualTo(plan.expectedRefilledAtMs());
          }
        });
  }

  /**
   * Writes that do not move the timestamp are not noticed by the lock. Where the write is applied
   * all the same, nothing that was earned is lost, nothing that was asked is below zero, and
   * nothing above the ceiling was spent.
   */
  @Test
  void locked_balancesChangedMeanwhile_isRefusedOrStillRight() {
    int[] applied = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              BucketView planned = it.project();
              BucketState met = it.disturbed(gen);
              if (PureStore.execute(met, locked(planned)) instanceof StoreReply.Applied reply) {
                applied[0]++;
                assertStillRight(it, planned, met, reply.state());
              }
            });
    if (ran == CASES) {
      assertThat(applied[0]).as("both answers were met").isBetween(CASES / 10, CASES * 9 / 10);
    }
  }

  /** Only what is taken may leave a debt: cutting down to a lower ceiling may not. */
  @Test
  void locked_contendedAndBalancesChangedMeanwhile_cutsNothingThatWasSpent() {
    int[] applied = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              BucketView planned = it.project();
              BucketState met = it.disturbed(gen);
              WritePlan plan = WritePlanner.locked(planned, /* contended= */ true, "op");
              if (PureStore.execute(met, plan) instanceof StoreReply.Applied reply) {
                applied[0]++;
                for (int i = 0; i < it.limits().size(); i++) {
                  String name = it.limits().get(i).name();
                  if (met.find(name) != null) {
                    long takenMilli = planned.acquiredMilli(i) + planned.settledMilli(i);
                    assertThat(tokensMilli(reply.state(), name))
                        .isGreaterThanOrEqualTo(
                            Math.min(
                                Math.min(0, planned.balanceMilli(i)),
                                tokensMilli(met, name) - takenMilli));
                  }
                }
              }
            });
    if (ran == CASES) {
      assertThat(applied[0]).isGreaterThan(CASES / 10);
    }
  }

  private static void assertStillRight(
      PlanCase it, BucketView planned, BucketState met, BucketState after) {
    BucketView fromMet = it.settle(met);
    for (int i = 0; i < it.limits().size(); i++) {
      Limit limit = it.limits().get(i);
      long tokensMilli = Objects.requireNonNull(after.find(limit.name())).tokensMilli();
      assertThat(tokensMilli)
          .isGreaterThanOrEqualTo(fromMet.balanceMilli(i) - planned.acquiredMilli(i));
      if (planned.isNamed(i)) {
        assertThat(tokensMilli).isBetween(0L, limit.burstMilli() - planned.acquiredMilli(i));
      }
    }
    for (WritePlan.Removal removal : locked(planned).parameters().removed()) {
      LimitState gone = Objects.requireNonNull(met.find(removal.name()));
      assertThat(gone.balanceMilli(met.share(), met.refilledAtMs(), it.claimedToMs()))
          .isEqualTo(gone.limit().burstMilli());
    }
  }

  @Test
  void write_contended_consumesExactlyWhenThatIsSafe() {
    int[] consumed = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              BucketView view = it.project();
              WritePlan plan = WritePlanner.write(view, true, PlanSettings.DEFAULT, "op");
              assertThat(plan instanceof WritePlan.Consume).isEqualTo(mayConsume(it, view));
              consumed[0] += plan instanceof WritePlan.Consume ? 1 : 0;
            });
    if (ran == CASES) {
      assertThat(consumed[0]).as("both plans were met").isBetween(CASES / 50, CASES / 2);
    }
  }

  private static long tokensMilli(BucketState state, String limit) {
    return Objects.requireNonNull(state.find(limit)).tokensMilli();
  }

  private static boolean mayConsume(PlanCase it, BucketView view) {
    long ageMs = it.nowMs() - it.state().refilledAtMs();
    boolean may =
        ageMs <= PlanSettings.DEFAULT.consumeWindowMs()
            && !it.isWild()
            && it.state().covers(it.limits());
    for (int i = 0; may && i < it.limits().size(); i++) {
      if (view.isNamed(i)) {
        long settledOffMilli =
            tokensMilli(it.state(), it.limits().get(i).name()) - view.settledMilli(i);
        may =
            settledOffMilli >= view.acquiredMilli(i)
                && settledOffMilli <= it.limits().get(i).burstMilli();
      }
    }
    return may;
  }

  @Test
  void consume_applied_leavesTheTimestampAndNothingBelowZeroOrSpentFromAboveTheCeiling() {
    int[] applied = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              BucketView planned = it.project();
              WritePlan plan = WritePlanner.write(planned, true, PlanSettings.DEFAULT, "op");
              BucketState met = gen.oneIn(4) ? it.state() : it.disturbed(gen);
              if (plan instanceof WritePlan.Consume
                  && PureStore.execute(met, plan) instanceof StoreReply.Applied reply) {
                applied[0]++;
                assertThat(reply.state().refilledAtMs()).isEqualTo(met.refilledAtMs());
                for (int i = 0; i < it.limits().size(); i++) {
                  long takenMilli = planned.acquiredMilli(i) + planned.settledMilli(i);
                  String name = it.limits().get(i).name();
                  long tokensMilli = tokensMilli(reply.state(), name);
                  assertThat(tokensMilli).isEqualTo(tokensMilli(met, name) - takenMilli);
                  if (planned.isNamed(i)) {
                    assertThat(tokensMilli)
                        .isBetween(0L, it.limits().get(i).burstMilli() - planned.acquiredMilli(i));
                  }
                }
              }
            });
    if (ran == CASES) {
      assertThat(applied[0]).isGreaterThan(CASES / 100);
    }
  }

  @Test
  void reject_retryAfter_isTheFirstMillisecondAtWhichTheDemandFits() {
    int[] rejected = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              PlanCase it = PlanCase.random(gen);
              // A wild timestamp is healed and changed limits are set first; then time runs.
              BucketState settled = PureStore.applied(it.state(), locked(it.project()));
              Amounts amounts = it.demands().get(0).amounts();
              BucketView now = at(it, settled, it.nowMs());
              if (now.fits(amounts)) {
                return;
              }
              rejected[0]++;
              long retryAfterMs = now.reject(amounts).retryAfterMs();
              assertThat(retryAfterMs).isPositive();
              long neverMs = 1L << 60;
              if (retryAfterMs < neverMs) {
                assertThat(at(it, settled, it.nowMs() + retryAfterMs).fits(amounts)).isTrue();
                assertThat(at(it, settled, it.nowMs() + retryAfterMs - 1).fits(amounts)).isFalse();
              } else {
                assertThat(at(it, settled, it.nowMs() + neverMs).fits(amounts)).isFalse();
              }
            });
    if (ran == CASES) {
      assertThat(rejected[0]).isGreaterThan(CASES / 10);
    }
  }

  private static BucketView at(PlanCase it, BucketState state, long nowMs) {
    return BucketView.of(state, it.limits(), nowMs, PlanSettings.DEFAULT.maxSkewMs());
  }

  private static WritePlan.Locked locked(BucketView view) {
    return (WritePlan.Locked)
        WritePlanner.write(view, /* contended= */ false, PlanSettings.DEFAULT, "op");
  }

  private static Amounts someThatFits(Gen gen, BucketView view) {
    long[] milli = new long[view.limits.size()];
    for (int i = 0; i < milli.length; i++) {
      milli[i] = view.balanceMilli(i) > 0 ? gen.between(0, view.balanceMilli(i)) : 0;
    }
    return Amounts.ofMilli(view.limits, milli);
  }
}
