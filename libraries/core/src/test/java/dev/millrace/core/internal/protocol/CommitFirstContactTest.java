package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Buckets never seen, not there, and known. */
class CommitFirstContactTest {
  @Test
  void start_neverSeenAndNotThere_readsAndCreates() {
    Script<CommitResult> script = commit(null, T, acquire(5)).read(null, T + 10);

    BucketState created = script.plan(WritePlan.Create.class).state();
    assertThat(created)
        .isEqualTo(
            new BucketState(
                    KEY,
                    T + 10,
                    List.of(new LimitState(RPM, 55_000, 5_000)),
                    T / 1_000 + 1 + 3_600,
                    "op-1")
                .withWcuMilli(999_000));
    assertThat(script.write(WritePlan.Create.class, null, T + 20).result())
        .isEqualTo(
            new CommitResult(
                List.of(new Outcome.Admitted()),
                BucketSnapshot.of(created, T + 20),
                NOTHING.withCreated()));
  }

  @Test
  void start_neverSeenAndThere_readsAndWrites() {
    BucketState there = bucket(T, holds(RPM, 10));

    CommitResult result =
        commit(null, T, acquire(5))
            .read(there, T + 1_000)
            .write(WritePlan.Locked.class, there, T + 1_010)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING);
    BucketSnapshot snapshot = Objects.requireNonNull(result.snapshot());
    assertThat(snapshot.seenAtMs()).isEqualTo(T + 1_010);
    assertThat(snapshot.state().refilledAtMs()).isEqualTo(T + 1_000);
    assertThat(snapshot.state().limits()).containsExactly(new LimitState(RPM, 6_000, 5_000));
    assertThat(snapshot.state().op()).isEqualTo("op-1");
  }

  @Test
  void start_known_writesAtOnce() {
    BucketState there = bucket(T, holds(RPM, 10));

    CommitResult result =
        commit(seen(there), T + 500_000, acquire(60))
            .write(WritePlan.Locked.class, there, T + 500_010)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
  }

  @Test
  void start_limitsChanged_saysSo() {
    BucketState there = bucket(T, holds(RPM, 10));
    LimitSet limits = LimitSet.of(RPM.withBurst(100));

    CommitResult result =
        commit(limits, seen(there), T, BucketDemand.acquire(tokens(limits, 5)))
            .write(WritePlan.Locked.class, there, T)
            .result();

    assertThat(result.trace()).isEqualTo(NOTHING.withReparameterised());
  }

  /** The original answered every acquire of an added limit with "retry after 0.0 s". */
  @Test
  void start_limitAdded_isAdmittedInTheSameWrite() {
    BucketState there = bucket(T, holds(RPM, 10));
    Limit tpm = Limit.perMinute("tpm", 6_000);
    LimitSet limits = LimitSet.of(RPM, tpm);

    CommitResult result =
        commit(limits, seen(there), T + 1_000, BucketDemand.acquire(tokens(limits, 1, 100)))
            .write(WritePlan.Locked.class, there, T + 1_000)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(Objects.requireNonNull(result.snapshot()).state().limits())
        .containsExactly(
            new LimitState(RPM, 10_000, 1_000), new LimitState(tpm, 5_900_000, 100_000));
  }

  @Test
  void read_neverSeenAndTooMuchEvenForANewBucket_writesNothing() {
    CommitResult result = commit(null, T, acquire(61)).read(null, T).result();

    assertThat(result.outcomes()).hasSize(1).first().isInstanceOf(Outcome.Rejected.class);
    assertThat(result.snapshot()).isNull();
    assertThat(result.trace()).isEqualTo(NOTHING);
  }

  @Test
  void write_bucketVanishedSinceItWasSeen_createsIt() {
    Script<CommitResult> script =
        commit(seen(bucket(T, holds(RPM, 10))), T + 1_000, acquire(5))
            .write(WritePlan.Locked.class, null, T + 1_010);

    assertThat(script.plan(WritePlan.Create.class).state())
        .isEqualTo(
            new BucketState(
                    KEY,
                    T + 1_010,
                    List.of(new LimitState(RPM, 55_000, 5_000)),
                    T / 1_000 + 2 + 3_600,
                    "op-2")
                .withWcuMilli(998_000)); // the one that was refused was billed too
    CommitResult result = script.write(WritePlan.Create.class, null, T + 1_020).result();
    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING.withCreated());
  }

  @Test
  void create_somebodyElseWasFaster_writesToTheirs() {
    BucketState theirs = bucket(T + 5, holds(RPM, 59));

    CommitResult result =
        commit(null, T, acquire(5))
            .read(null, T)
            .write(WritePlan.Create.class, theirs, T + 10)
            .write(WritePlan.Consume.class, theirs, T + 20)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
  }
}
