package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Script;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A refill timestamp far ahead of every honest clock would stop the refill for as long. */
class CommitHealTest {
  private static final long HOUR_MS = 3_600_000;
  private static final BucketState WILD = bucket(T + HOUR_MS, holds(RPM, 10));

  @Test
  void write_wildTimestamp_isSetToNowWithoutCreditAndSaidSo() {
    Script<CommitResult> script = commit(BucketSnapshot.of(WILD, T), T, acquire(4));
    assertThat(script.plan(WritePlan.Locked.class).refilledAtMs()).isEqualTo(T);

    CommitResult result = script.write(WritePlan.Locked.class, WILD, T + 5).result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING.withHealed(HOUR_MS));
    BucketState healed = Objects.requireNonNull(result.snapshot()).state();
    assertThat(healed.refilledAtMs()).isEqualTo(T);
    assertThat(healed.limits()).containsExactly(new LimitState(RPM, 6_000, 4_000));
  }

  /** Were it not written, the bucket would never earn what the refused ones wait for. */
  @Test
  void write_wildTimestampAndNothingFits_isHealedAllTheSame() {
    Script<CommitResult> script = commit(BucketSnapshot.of(WILD, T), T, acquire(11));
    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(LimitChange.unconditional("rpm", 0, 0));

    CommitResult result = script.write(WritePlan.Locked.class, WILD, T + 5).result();

    assertThat(((Outcome.Rejected) result.outcomes().get(0)).rejection().retryAfterMs())
        .isEqualTo(1_000);
    assertThat(result.trace()).isEqualTo(NOTHING.withHealed(HOUR_MS));
    assertThat(Objects.requireNonNull(result.snapshot()).state().refilledAtMs()).isEqualTo(T);
  }

  /**
   * The simulator's seed 6036035: who was too late twice, and then met a timestamp half a minute
   * ahead, left it as it was and told its caller to come back half a minute later.
   */
  @Test
  void write_wildTimestampAfterTwoLostLocks_isHealedAndNotWaitedFor() {
    Script<CommitResult> script =
        commit(BucketSnapshot.of(bucket(T, holds(RPM, 0)), T), T + 1_000, acquire(1))
            .write(WritePlan.Locked.class, bucket(T + 900, holds(RPM, 0)), T + 1_900)
            .write(
                WritePlan.Locked.class,
                bucket(T + HOUR_MS, new LimitState(RPM, 990, 0)),
                T + 2_000);
    assertThat(script.plan(WritePlan.Locked.class).refilledAtMs()).isEqualTo(T + 2_000);

    CommitResult result =
        script
            .write(
                WritePlan.Locked.class, bucket(T + HOUR_MS, new LimitState(RPM, 990, 0)), T + 2_010)
            .result();

    assertThat(((Outcome.Rejected) result.outcomes().get(0)).rejection().retryAfterMs())
        .isEqualTo(10);
    assertThat(result.trace().healedAheadMs()).isEqualTo(HOUR_MS - 2_000);
  }

  @Test
  void write_timestampWithinTheSkew_isBelieved() {
    BucketState ahead = bucket(T + 10_000, holds(RPM, 10));

    CommitResult result =
        commit(BucketSnapshot.of(ahead, T), T, acquire(4))
            .write(WritePlan.Locked.class, ahead, T + 5)
            .result();

    assertThat(result.trace()).isEqualTo(NOTHING);
    assertThat(Objects.requireNonNull(result.snapshot()).state().refilledAtMs())
        .isEqualTo(T + 10_000);
  }

  @Test
  void write_somebodyElseHealedFirst_isNotOurHealing() {
    BucketState healed = bucket(T, holds(RPM, 9));

    CommitResult result =
        commit(BucketSnapshot.of(WILD, T), T, acquire(4))
            .write(WritePlan.Locked.class, healed, T + 5)
            .write(WritePlan.Consume.class, healed, T + 10)
            .result();

    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
  }
}
