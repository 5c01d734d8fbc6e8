package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Amounts;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several callers share a write. */
class CommitBatchTest {
  private static final BucketState SEEN = bucket(T, holds(RPM, 10));

  @Test
  void start_allFit_areOneWrite() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(2), acquire(3), acquire(5));

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(new LimitChange("rpm", -10_000, 10_000, 10_000, 60_000));
    assertThat(script.write(WritePlan.Locked.class, SEEN, T).result().outcomes())
        .containsExactly(new Outcome.Admitted(), new Outcome.Admitted(), new Outcome.Admitted());
  }

  @Test
  void start_notAllFit_areTakenInTheOrderOfArrivalEachThatFits() {
    Script<CommitResult> script =
        commit(seen(SEEN), T, acquire(6), acquire(5), acquire(3), acquire(1), acquire(1));

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(new LimitChange("rpm", -10_000, 10_000, 10_000, 60_000));
    List<Outcome> outcomes = script.write(WritePlan.Locked.class, SEEN, T).result().outcomes();
    assertThat(outcomes)
        .extracting(Object::getClass)
        .containsExactly(
            Outcome.Admitted.class,
            Outcome.Rejected.class,
            Outcome.Admitted.class,
            Outcome.Admitted.class,
            Outcome.Rejected.class);
    // The second met what the first had left, the last met nothing.
    assertThat(retryAfterMs(outcomes.get(1))).isEqualTo(1_000);
    assertThat(retryAfterMs(outcomes.get(4))).isEqualTo(1_000);
  }

  @Test
  void start_settlesInBetween_comeFirst() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(6), charge(5), acquire(5));

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(new LimitChange("rpm", -10_000, 10_000, 10_000, 65_000));
    assertThat(script.write(WritePlan.Locked.class, SEEN, T).result().outcomes())
        .extracting(Object::getClass)
        .containsExactly(Outcome.Rejected.class, Outcome.Settled.class, Outcome.Admitted.class);
  }

  @Test
  void start_refundInTheBatch_canBeSpentInIt() {
    BucketDemand refund = BucketDemand.settle(Amounts.ofMilli(LIMITS, new long[] {-5_000}));

    Script<CommitResult> script = commit(seen(SEEN), T, acquire(15), refund);

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(new LimitChange("rpm", -10_000, 10_000, 10_000, 55_000));
    assertThat(script.write(WritePlan.Locked.class, SEEN, T).result().outcomes())
        .containsExactly(new Outcome.Admitted(), new Outcome.Settled());
  }

  @Test
  void start_onlySettlesAndAnEmptyBucket_areWritten() {
    BucketState empty = bucket(T, holds(RPM, 0));

    Script<CommitResult> script = commit(seen(empty), T, charge(5), acquire(1));

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(LimitChange.unconditional("rpm", -5_000, 5_000));
    List<Outcome> outcomes = script.write(WritePlan.Locked.class, empty, T).result().outcomes();
    assertThat(outcomes.get(0)).isEqualTo(new Outcome.Settled());
    assertThat(retryAfterMs(outcomes.get(1))).isEqualTo(6_000);
  }

  @Test
  void write_refused_isDecidedAgainForEverybodyFromWhatCameBack() {
    BucketState lower = bucket(T, holds(RPM, 4));

    Script<CommitResult> script =
        commit(seen(SEEN), T, acquire(6), acquire(4)).write(WritePlan.Locked.class, lower, T);

    assertThat(script.plan(WritePlan.Consume.class).changes())
        .containsExactly(new LimitChange("rpm", -4_000, 4_000, 4_000, 60_000));
    CommitResult result = script.write(WritePlan.Consume.class, lower, T).result();
    assertThat(result.outcomes())
        .extracting(Object::getClass)
        .containsExactly(Outcome.Rejected.class, Outcome.Admitted.class);
    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
  }

  @Test
  void start_oldSightingRefusesOne_isReadBeforeAnybodyIsRefused() {
    BucketState fuller = bucket(T, holds(RPM, 50));

    CommitResult result =
        commit(BucketSnapshot.of(SEEN, T - 2_000), T, acquire(6), acquire(6))
            .read(fuller, T)
            .write(WritePlan.Locked.class, fuller, T)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted(), new Outcome.Admitted());
  }

  private static long retryAfterMs(Outcome outcome) {
    return ((Outcome.Rejected) outcome).rejection().retryAfterMs();
  }
}
