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
import static dev.millrace.core.testing.Script.LOST;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The store puts off, or its answers are lost. The SDK of the original charged such a call twice.
 */
class CommitFailureTest {
  private static final BucketState SEEN = bucket(T, holds(RPM, 10));
  private static final Outcome MAYBE = new Outcome.Unavailable(LOST, /* mayBeCharged= */ true);

  @Test
  void write_answerLostAndTheLastWriteIsOurs_isAdmitted() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(5));
    BucketState ours = PureStore.applied(SEEN, script.plan(WritePlan.Locked.class));

    CommitResult result = script.lose(WritePlan.Locked.class, T + 50).read(ours, T + 60).result();

    assertThat(result)
        .isEqualTo(
            new CommitResult(
                List.of(new Outcome.Admitted()),
                BucketSnapshot.of(ours, T + 60),
                NOTHING.withUnknownOutcome()));
  }

  @Test
  void write_answerOfACreateLostAndTheBucketIsOurs_isAdmittedAndCreated() {
    Script<CommitResult> script = commit(null, T, acquire(5)).read(null, T);
    BucketState ours = script.plan(WritePlan.Create.class).state();

    CommitResult result = script.lose(WritePlan.Create.class, T).read(ours, T).result();

    assertThat(result.outcomes()).containsExactly(new Outcome.Admitted());
    assertThat(result.trace()).isEqualTo(NOTHING.withCreated().withUnknownOutcome());
  }

  @Test
  void write_answerLostAndTheLastWriteIsSomebodyElses_isUnavailableAndMayBeCharged() {
    BucketState theirs = bucket(T + 20, holds(RPM, 3));

    CommitResult result =
        commit(seen(SEEN), T, acquire(5))
            .lose(WritePlan.Locked.class, T + 50)
            .read(theirs, T + 60)
            .result();

    assertThat(result)
        .isEqualTo(
            new CommitResult(
                List.of(MAYBE), BucketSnapshot.of(theirs, T + 60), NOTHING.withUnknownOutcome()));
  }

  @Test
  void write_answerLostAndTheBucketIsNotThere_isUnavailableAndMayBeCharged() {
    CommitResult result =
        commit(seen(SEEN), T, acquire(5))
            .lose(WritePlan.Locked.class, T + 50)
            .read(null, T + 60)
            .result();

    assertThat(result)
        .isEqualTo(new CommitResult(List.of(MAYBE), null, NOTHING.withUnknownOutcome()));
  }

  @Test
  void write_answerLostAndTheReadFailsToo_saysHowTheWriteFailed() {
    CommitResult result =
        commit(seen(SEEN), T, acquire(5))
            .lose(WritePlan.Locked.class, T + 50)
            .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T + 60)
            .result();

    assertThat(result)
        .isEqualTo(new CommitResult(List.of(MAYBE), null, NOTHING.withUnknownOutcome()));
  }

  @Test
  void write_throttled_isUnavailableAndNotCharged() {
    BucketSnapshot known = seen(SEEN);

    CommitResult result =
        commit(known, T, acquire(5), charge(1)).throttle(WritePlan.Locked.class, T + 50).result();

    Outcome unavailable = new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false);
    assertThat(result)
        .isEqualTo(new CommitResult(List.of(unavailable, unavailable), known, NOTHING));
  }

  @Test
  void write_lockLostThenThrottled_keepsWhatWasSeenLast() {
    BucketState theirs = bucket(T + 5_000, holds(RPM, 9));

    CommitResult result =
        commit(seen(SEEN), T + 5_000, acquire(5))
            .write(WritePlan.Locked.class, theirs, T + 5_010)
            .throttle(WritePlan.Consume.class, T + 5_020)
            .result();

    assertThat(result.snapshot())
        .isEqualTo(
            new BucketSnapshot(
                theirs, T + 5_010, T + 5_010 + BucketSnapshot.CONTENTION_MS, /* lively= */ true));
    assertThat(result.trace()).isEqualTo(NOTHING.withLostLock());
  }

  @Test
  void read_throttled_isUnavailableAndNotCharged() {
    CommitResult result =
        commit(null, T, acquire(5))
            .readFails(new StoreReply.NotApplied(SLOW_DOWN, Receipt.NONE), T)
            .result();

    assertThat(result)
        .isEqualTo(
            new CommitResult(
                List.of(new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false)),
                null,
                NOTHING));
  }

  @Test
  void read_answerLost_isUnavailableAndNotCharged() {
    CommitResult result =
        commit(null, T, acquire(5))
            .readFails(new StoreReply.Unknown(LOST, Receipt.NONE), T)
            .result();

    assertThat(result.outcomes())
        .containsExactly(new Outcome.Unavailable(LOST, /* mayBeCharged= */ false));
  }

  @Test
  void read_answerToAnotherQuestion_isABug() {
    assertThatThrownBy(
            () ->
                commit(null, T, acquire(5))
                    .readFails(new StoreReply.Applied(SEEN, Receipt.NONE), T))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("a store answered a call with Applied[");
  }
}
