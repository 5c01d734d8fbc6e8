package dev.millrace.core.internal.protocol;

import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.testing.Buckets;
import dev.millrace.core.testing.Gen;
import dev.millrace.core.testing.Laws;
import dev.millrace.core.testing.PureTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommitSoftTest {
  private static final int CASES = 10_000;
  private static final Limit HARD = Limit.perMinute("b", 600);
  private static final LimitSet MIXED =
      LimitSet.of(Limit.perMinute("a", 60).asSoft(), HARD, Limit.perHour("c", 9).asSoft());
  private static final LimitSet ALONE = LimitSet.of(HARD);

  @Test
  void commit_softLimitsToo_decidesAsTheHardOneAloneAndCountsAll() {
    int[] rejected = new int[1];
    int ran =
        Laws.check(
            CASES,
            gen -> {
              LimitState[] states = new LimitState[MIXED.size()];
              List<BucketDemand> mixed = new ArrayList<>();
              List<BucketDemand> alone = new ArrayList<>();
              for (int i = 0; i < states.length; i++) {
                states[i] = Buckets.holds(MIXED.get(i), gen.between(i == 1 ? 0 : -700, 600));
              }
              for (long i = gen.between(1, 5); i > 0; i--) {
                addDemand(gen, mixed, alone);
              }
              BucketState withSoft = Buckets.bucket(T, states);
              long nowMs = T + gen.between(0, 2_000);
              CommitResult ofMixed = run(MIXED, mixed, withSoft, nowMs);
              CommitResult ofAlone = run(ALONE, alone, Buckets.bucket(T, states[1]), nowMs);
              long[] consumedMilli = new long[MIXED.size()];
              for (int i = 0; i < mixed.size(); i++) {
                Outcome outcome = ofMixed.outcomes().get(i);
                assertThat(outcome).hasSameClassAs(ofAlone.outcomes().get(i));
                rejected[0] += outcome instanceof Outcome.Rejected ? 1 : 0;
                for (int j = 0; j < consumedMilli.length; j++) {
                  consumedMilli[j] +=
                      outcome instanceof Outcome.Rejected ? 0 : mixed.get(i).amounts().milli(j);
                }
              }
              assertThat(sighted(ofMixed, withSoft).limits())
                  .extracting(LimitState::consumedMilli)
                  .containsExactly(consumedMilli[0], consumedMilli[1], consumedMilli[2]);
            });
    if (ran == CASES) {
      assertThat(rejected[0]).isGreaterThan(CASES / 10);
    }
  }

  private static void addDemand(Gen gen, List<BucketDemand> mixed, List<BucketDemand> alone) {
    long[] milli = {
      gen.between(0, 99) * 1_000, gen.between(0, 300_000), gen.between(0, 20) * 1_000
    };
    Amounts all = Amounts.ofMilli(MIXED, milli);
    Amounts hard = Amounts.ofMilli(ALONE, new long[] {milli[1]});
    boolean settles = gen.oneIn(3);
    mixed.add(settles ? BucketDemand.settle(all) : BucketDemand.acquire(all));
    alone.add(settles ? BucketDemand.settle(hard) : BucketDemand.acquire(hard));
  }

  private static BucketState sighted(CommitResult result, BucketState before) {
    BucketSnapshot snapshot = result.snapshot();
    return snapshot == null ? before : snapshot.state();
  }

  private static CommitResult run(
      LimitSet limits, List<BucketDemand> demands, BucketState state, long nowMs) {
    PureTable table = new PureTable();
    table.put(state);
    CommitProtocol commit =
        new CommitProtocol(
            KEY, EffectiveLimits.ofCall(limits), demands, PlanSettings.DEFAULT, CommitCase.ops());
    Step<CommitResult> step = commit.start(BucketSnapshot.of(state, nowMs), nowMs);
    while (step instanceof Step.Ask<CommitResult> ask) {
      step = ask.next().resume(List.of(table.execute(ask.calls().get(0))), nowMs);
    }
    return ((Step.Done<CommitResult>) step).result();
  }
}
