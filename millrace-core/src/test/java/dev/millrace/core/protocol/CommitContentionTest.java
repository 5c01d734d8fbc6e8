package dev.millrace.core.protocol;

import static dev.millrace.core.protocol.CommitCase.NOTHING;
import static dev.millrace.core.protocol.CommitCase.RPM;
import static dev.millrace.core.protocol.CommitCase.acquire;
import static dev.millrace.core.protocol.CommitCase.commit;
import static dev.millrace.core.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.bucket.BucketState;
import dev.millrace.core.plan.WritePlan;
import dev.millrace.core.protocol.CommitResult.Outcome;
import dev.millrace.core.protocol.CommitResult.Trace;
import dev.millrace.core.store.StoreFailure;
import dev.millrace.core.testing.Script;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Others write the bucket too. */
class CommitContentionTest {
  private static final BucketState SEEN = bucket(T, holds(RPM, 10));

  /** The original gave up its refill when it lost the lock, and refused: 0.57 of the bound. */
  @Test
  void write_lockLostToAFreshClaim_consumesWithoutTheLock() {
    BucketState theirs = bucket(T + 5_000, holds(RPM, 9));

    Script<CommitResult> script =
        commit(seen(SEEN), T + 5_000, acquire(5)).write(WritePlan.Locked.class, theirs, T + 5_010);
    assertThat(script.plan(WritePlan.Consume.class).minRefilledAtMs()).isEqualTo(T + 4_910);
    assertThat(script.plan(WritePlan.Consume.class).op()).isEqualTo("op-2");

    CommitResult result = script.write(WritePlan.Consume.class, theirs, T + 5_020).result();
    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
    assertThat(Objects.requireNonNull(result.sighting()).contendedUntilMs())
        .isEqualTo(T + 5_010 + Sighting.CONTENTION_MS);
  }

  @Test
  void write_lockLostAndTheirClaimIsOld_claimsAgain() {
    BucketState theirs = bucket(T + 1_000, holds(RPM, 9));

    CommitResult result =
        commit(seen(SEEN), T + 5_000, acquire(12))
            .write(WritePlan.Locked.class, theirs, T + 5_010)
            .write(WritePlan.Locked.class, theirs, T + 5_020)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
  }

  @Test
  void start_contendedSighting_consumesFirst() {
    Sighting contended = new Sighting(SEEN, T, T + 60);

    commit(contended, T + 50, acquire(5)).plan(WritePlan.Consume.class);
    commit(contended, T + 60, acquire(5)).plan(WritePlan.Locked.class);
  }

  @Test
  void write_consumeMeetsAnotherClaim_staysContended() {
    Sighting contended = new Sighting(SEEN, T, T + 60);
    BucketState theirs = bucket(T + 40, holds(RPM, 9));

    CommitResult result =
        commit(contended, T + 50, acquire(5))
            .write(WritePlan.Consume.class, theirs, T + 55)
            .result();

    assertThat(Objects.requireNonNull(result.sighting()).contendedUntilMs())
        .isEqualTo(T + 55 + Sighting.CONTENTION_MS);
  }

  @Test
  void write_consumeMeetsNobody_letsTheContentionEnd() {
    Sighting contended = new Sighting(SEEN, T, T + 60);

    CommitResult result =
        commit(contended, T + 50, acquire(5)).write(WritePlan.Consume.class, SEEN, T + 55).result();

    assertThat(Objects.requireNonNull(result.sighting()).contendedUntilMs()).isEqualTo(T + 60);
  }

  @Test
  void write_refusedEveryTime_isContendedAfterTheLastAttempt() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(1));
    for (int i = 1; i <= Commit.MAX_ATTEMPTS; i++) {
      // Each time somebody claimed meanwhile, longer ago than the grain.
      script.write(WritePlan.Locked.class, bucket(T + i, holds(RPM, 10)), T + i * 1_000L);
    }

    CommitResult result = script.result();
    assertThat(result.outcomes())
        .containsExactly(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
    assertThat(result.trace()).isEqualTo(new Trace(Commit.MAX_ATTEMPTS, 0, false, false, 0));
  }

  @Test
  void create_bucketComesAndGoesEveryTime_isContendedAfterTheLastAttempt() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(1));
    for (int i = 1; i <= Commit.MAX_ATTEMPTS; i++) {
      BucketState met = i % 2 == 0 ? bucket(T, holds(RPM, 10)) : null;
      script.write(WritePlan.class, met, T + i * 1_000L);
    }

    assertThat(script.result().outcomes())
        .containsExactly(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
  }

  @Test
  void write_refusedAtTheLastAttemptByAnEmptyBucket_isARefusal() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(1));
    for (int i = 1; i < Commit.MAX_ATTEMPTS; i++) {
      script.write(WritePlan.Locked.class, bucket(T + i, holds(RPM, 10)), T + i * 1_000L);
    }
    script.write(WritePlan.Locked.class, bucket(T + 16_000, holds(RPM, 0)), T + 16_000);

    assertThat(script.result().outcomes()).hasSize(1).first().isInstanceOf(Outcome.Rejected.class);
  }
}
