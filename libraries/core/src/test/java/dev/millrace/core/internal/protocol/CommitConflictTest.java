package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Script.CONFLICT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.testing.Script;
import org.junit.jupiter.api.Test;

/** A transaction of somebody else is in the way: surely nothing was written. */
class CommitConflictTest {
  private static final BucketState TEN = bucket(T, holds(RPM, 10));

  @Test
  void write_conflict_comesAgainAsOfThen() {
    Script<CommitResult> script =
        commit(seen(TEN), T, acquire(5)).conflict(WritePlan.Locked.class, T + 7);

    WritePlan.Locked again = script.plan(WritePlan.Locked.class);
    assertThat(again.refilledAtMs()).isEqualTo(T + 7);
    assertThat(again.op()).isEqualTo("op-2");
    CommitResult result = script.write(WritePlan.Locked.class, TEN, T + 9).result();
    assertThat(result.outcomes()).containsExactly(Outcome.ADMITTED);
    assertThat(result.trace()).isEqualTo(NOTHING);
  }

  @Test
  void write_conflictOfACreate_createsAgain() {
    CommitResult result =
        commit(null, T, acquire(5))
            .read(null, T)
            .conflict(WritePlan.Create.class, T)
            .write(WritePlan.Create.class, null, T)
            .result();

    assertThat(result.outcomes()).containsExactly(Outcome.ADMITTED);
    assertThat(result.trace()).isEqualTo(NOTHING.withCreated());
  }

  @Test
  void write_conflictEveryTime_isUnavailableAfterTheLast() {
    Script<CommitResult> script = commit(seen(TEN), T, acquire(5), charge(1));
    for (int i = 0; i <= CommitProtocol.MAX_CONFLICTS; i++) {
      script.conflict(WritePlan.Locked.class, T + i);
    }

    Outcome unavailable = new Outcome.Unavailable(CONFLICT, /* mayBeCharged= */ false);
    assertThat(script.result().outcomes()).containsExactly(unavailable, unavailable);
  }

  /** A conflict is not a refusal: it does not make the bucket one that others claim first. */
  @Test
  void write_conflicts_countNoAttempts() {
    Script<CommitResult> script = commit(seen(bucket(T, holds(RPM, 0))), T + 1_000, acquire(1));
    for (int i = 0; i < 3; i++) {
      script.conflict(WritePlan.Locked.class, T + 1_000);
    }

    assertThat(
            script
                .write(WritePlan.Locked.class, bucket(T, holds(RPM, 0)), T + 1_000)
                .result()
                .outcomes())
        .containsExactly(Outcome.ADMITTED);
  }

  @Test
  void write_conflictAndTheSightingIsOldByThen_isReadBeforeARefusal() {
    // admitted from an old snapshot; by the time of the conflict it is still old
    Script<CommitResult> script =
        commit(seen(TEN), T + 50_000, acquire(60)).conflict(WritePlan.Locked.class, T + 40_000);

    script.read(bucket(T + 40_000, holds(RPM, 0)), T + 40_001);
    assertThat(script.result().outcomes()).hasSize(1).first().isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void start_settlementMeetsConflicts_comesAgain() {
    Script<CommitResult> script = commit(null, T, charge(5));
    for (int i = 0; i < CommitProtocol.MAX_CONFLICTS; i++) {
      script.conflict(WritePlan.Adjust.class, T);
    }

    assertThat(script.write(WritePlan.Adjust.class, TEN, T).result().outcomes())
        .containsExactly(Outcome.SETTLED);
  }

  @Test
  void start_settlementMeetsConflictsEveryTime_isUnavailableAfterTheLast() {
    Script<CommitResult> script = commit(null, T, charge(5)).write(WritePlan.Adjust.class, null, T);
    for (int i = 0; i <= CommitProtocol.MAX_CONFLICTS; i++) {
      script.conflict(WritePlan.Create.class, T);
    }

    assertThat(script.result().outcomes())
        .containsExactly(new Outcome.Unavailable(CONFLICT, /* mayBeCharged= */ false));
  }
}
