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

import dev.millrace.LimitStatus;
import dev.millrace.Rejection;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a refusal costs, and what it rests on. */
class CommitRefusalTest {
  private static final BucketState TWO = bucket(T, holds(RPM, 2));

  @Test
  void start_freshSightingSaysNo_makesNoCall() {
    BucketSnapshot known = seen(TWO);

    assertThat(commit(known, T + 999, acquire(5)).result())
        .isEqualTo(new CommitResult(List.of(refused(2_999, 5_000, 2_001)), known, NOTHING));
  }

  @Test
  void start_oldSightingSaysNo_readsOnceAndRefuses() {
    CommitResult result = commit(seen(TWO), T + 1_000, acquire(5)).read(TWO, T + 1_005).result();

    assertThat(result)
        .isEqualTo(
            new CommitResult(
                List.of(refused(3_005, 5_000, 1_995)), BucketSnapshot.of(TWO, T + 1_005), NOTHING));
  }

  @Test
  void start_oldSightingSaysNoButTheBucketIsFuller_admits() {
    BucketState fuller = bucket(T, holds(RPM, 50));

    CommitResult result =
        commit(seen(TWO), T + 1_000, acquire(5))
            .read(fuller, T + 1_005)
            .write(WritePlan.Locked.class, fuller, T + 1_010)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
  }

  @Test
  void start_sightingFromTheFuture_isNotTrustedToRefuse() {
    BucketSnapshot future = BucketSnapshot.of(TWO, T + 1_000);

    assertThat(commit(future, T + 1, acquire(5)).result().outcomes())
        .containsExactly(refused(2_001, 5_000, 2_999));
    assertThat(commit(future, T, acquire(5)).read(TWO, T).result().outcomes())
        .containsExactly(refused(2_000, 5_000, 3_000));
  }

  @Test
  void start_oldSightingSaysYes_writesWithoutReading() {
    CommitResult result =
        commit(seen(TWO), T + 3_600_000, acquire(60))
            .write(WritePlan.Locked.class, TWO, T + 3_600_000)
            .result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
  }

  @Test
  void write_refusedByALowerBalance_refusesFromTheStateThatCameBack() {
    BucketState spent = bucket(T, holds(RPM, 1));

    CommitResult result =
        commit(seen(TWO), T, acquire(2)).write(WritePlan.Locked.class, spent, T + 10).result();

    assertThat(result)
        .isEqualTo(
            new CommitResult(
                List.of(refused(1_010, 2_000, 990)),
                new BucketSnapshot(
                    spent, T + 10, T + 10 + BucketSnapshot.CONTENTION_MS, /* lively= */ true),
                NOTHING.withLostLock()));
  }

  @Test
  void start_moreThanTheCeiling_isNever() {
    CommitResult result = commit(seen(TWO), T, acquire(61)).result();

    assertThat(result.outcomes()).containsExactly(refused(2_000, 61_000, LimitStatus.NEVER));
  }

  private static Outcome refused(long availableMilli, long requestedMilli, long retryAfterMs) {
    return new Outcome.Rejected(
        new Rejection(
            List.of(
                new LimitStatus(
                    "key-42", "gpt-4", RPM, availableMilli, requestedMilli, true, retryAfterMs))));
  }
}
