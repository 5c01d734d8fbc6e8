package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.internal.protocol.CommitResult.Trace;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreFailure;
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
    assertThat(script.plan(WritePlan.Consume.class).minRefilledAtMs()).isEqualTo(T + 4_930);
    assertThat(script.plan(WritePlan.Consume.class).op()).isEqualTo("op-2");

    CommitResult result = script.write(WritePlan.Consume.class, theirs, T + 5_020).result();
    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
    assertThat(Objects.requireNonNull(result.snapshot()).contendedUntilMs())
        .isEqualTo(T + 5_010 + BucketSnapshot.CONTENTION_MS);
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
    BucketSnapshot contended = contended(T + 60);

    commit(contended, T + 50, acquire(5)).plan(WritePlan.Consume.class);
    commit(contended, T + 60, acquire(5)).plan(WritePlan.Locked.class);
  }

  @Test
  void start_contendedAndTheLastClaimIsOlderThanTheWindow_claims() {
    BucketSnapshot fresh = new BucketSnapshot(SEEN, T + 81, T + 10_000, /* lively= */ false);

    commit(fresh, T + 80, acquire(5)).plan(WritePlan.Consume.class);
    commit(fresh, T + 81, acquire(5)).plan(WritePlan.Locked.class);
  }

  /** Others have written since, so the lock would be lost: a read is cheaper than a lost write. */
  @Test
  void start_contendedAndSeenLongAgo_readsFirst() {
    BucketSnapshot contended = contended(T + 10_000);

    commit(contended, T + 80, acquire(5)).plan(WritePlan.Consume.class);
    BucketState theirs = withOp("op-theirs", bucket(T + 70, holds(RPM, 9)));
    CommitResult result =
        commit(contended, T + 81, acquire(5))
            .read(theirs, T + 90)
            .write(WritePlan.Consume.class, theirs, T + 95)
            .result();
    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
  }

  @Test
  void read_contendedAndNobodyElseWroteSince_isContendedNoMore() {
    Script<CommitResult> script =
        commit(contended(T + 10_000), T + 81, acquire(5)).read(SEEN, T + 90);

    CommitResult result = script.write(WritePlan.Locked.class, SEEN, T + 95).result();
    assertThat(Objects.requireNonNull(result.snapshot()).isContended(T + 95)).isFalse();
  }

  @Test
  void read_contendedAndSomebodyWroteSince_staysContended() {
    BucketState theirs = withOp("op-theirs", bucket(T, holds(RPM, 9)));

    CommitResult result =
        commit(contended(T + 100), T + 81, acquire(5))
            .read(theirs, T + 90)
            .write(WritePlan.Locked.class, theirs, T + 95)
            .result();

    BucketSnapshot snapshot = Objects.requireNonNull(result.snapshot());
    assertThat(snapshot.contendedUntilMs()).isEqualTo(T + 90 + BucketSnapshot.CONTENTION_MS);
    assertThat(snapshot.lively()).isFalse(); // the claim was 90 ms old
  }

  @Test
  void start_livelyAndSeenLongAgo_consumesWithoutReading() {
    BucketSnapshot lively = new BucketSnapshot(SEEN, T, T + 10_000, /* lively= */ true);

    Script<CommitResult> script = commit(lively, T + 900, acquire(5));
    assertThat(script.plan(WritePlan.Consume.class).minRefilledAtMs()).isEqualTo(T + 820);
    BucketState theirs = bucket(T + 850, holds(RPM, 9));
    assertThat(script.write(WritePlan.Consume.class, theirs, T + 905).result().outcomes())
        .containsExactly(new Outcome.Admitted());
  }

  @Test
  void start_livelyAndTheBalanceSeenDoesNotSuffice_reads() {
    BucketSnapshot lively = new BucketSnapshot(SEEN, T, T + 10_000, /* lively= */ true);
    BucketState theirs = withOp("op-theirs", bucket(T + 900, holds(RPM, 20)));

    CommitResult result =
        commit(lively, T + 6_000, acquire(15))
            .read(theirs, T + 6_000)
            .write(WritePlan.Locked.class, theirs, T + 6_005)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
  }

  @Test
  void write_consumeMeetsAnotherClaim_staysContended() {
    BucketState theirs = bucket(T + 40, holds(RPM, 9));

    CommitResult result =
        commit(contended(T + 60), T + 50, acquire(5))
            .write(WritePlan.Consume.class, theirs, T + 55)
            .result();

    BucketSnapshot snapshot = Objects.requireNonNull(result.snapshot());
    assertThat(snapshot.contendedUntilMs()).isEqualTo(T + 55 + BucketSnapshot.CONTENTION_MS);
    assertThat(snapshot.lively()).isTrue();
  }

  @Test
  void write_consumeMeetsNobody_letsTheContentionEnd() {
    CommitResult result =
        commit(contended(T + 60), T + 50, acquire(5))
            .write(WritePlan.Consume.class, SEEN, T + 55)
            .result();

    assertThat(Objects.requireNonNull(result.snapshot()).contendedUntilMs()).isEqualTo(T + 60);
  }

  @Test
  void write_refusedEveryTime_isContendedAfterTheLastAttempt() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(1));
    for (int i = 1; i <= CommitProtocol.MAX_ATTEMPTS; i++) {
      // Each time somebody claimed meanwhile, longer ago than the grain.
      script.write(WritePlan.Locked.class, bucket(T + i, holds(RPM, 10)), T + i * 1_000L);
    }

    CommitResult result = script.result();
    assertThat(result.outcomes())
        .containsExactly(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
    assertThat(result.trace())
        .isEqualTo(new Trace(CommitProtocol.MAX_ATTEMPTS, 0, false, false, 0));
  }

  @Test
  void create_bucketComesAndGoesEveryTime_isContendedAfterTheLastAttempt() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(1));
    for (int i = 1; i <= CommitProtocol.MAX_ATTEMPTS; i++) {
      BucketState met = i % 2 == 0 ? bucket(T, holds(RPM, 10)) : null;
      script.write(WritePlan.class, met, T + i * 1_000L);
    }

    assertThat(script.result().outcomes())
        .containsExactly(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
  }

  @Test
  void write_tooLateTwiceForWhatReturns_isARefusalFromWhatIsStored() {
    CommitResult result =
        commit(seen(bucket(T, holds(RPM, 0))), T + 1_000, acquire(1))
            .write(WritePlan.Locked.class, bucket(T + 900, new LimitState(RPM, 990, 0)), T + 1_000)
            .write(
                WritePlan.Locked.class, bucket(T + 1_000, new LimitState(RPM, 990, 0)), T + 1_020)
            .result();

    Outcome.Rejected rejected = (Outcome.Rejected) result.outcomes().get(0);
    assertThat(rejected.rejection().primary().availableMilli()).isEqualTo(990);
    assertThat(rejected.rejection().retryAfterMs()).isEqualTo(10);
  }

  @Test
  void write_refusedAtTheLastAttemptByAnEmptyBucket_isARefusal() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(1));
    for (int i = 1; i < CommitProtocol.MAX_ATTEMPTS; i++) {
      script.write(WritePlan.Locked.class, bucket(T + i, holds(RPM, 10)), T + i * 1_000L);
    }
    script.write(WritePlan.Locked.class, bucket(T + 16_000, holds(RPM, 0)), T + 16_000);

    assertThat(script.result().outcomes()).hasSize(1).first().isInstanceOf(Outcome.Rejected.class);
  }

  private static BucketSnapshot contended(long untilMs) {
    return new BucketSnapshot(SEEN, T, untilMs, /* lively= */ false);
  }

  private static BucketState withOp(String op, BucketState state) {
    return new BucketState(
        state.key(),
        state.refilledAtMs(),
        state.limits(),
        state.division(),
        state.wcuMilli(),
        state.expiresAtSeconds(),
        op,
        state.stamp());
  }
}
