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
import static dev.millrace.core.testing.Script.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A write whose answer was lost is sent again as it was, when the bucket shows that it was not made
 * and a second one could not be made as well.
 */
class LostAnswerTest {
  private static final BucketState SEEN = bucket(T, holds(RPM, 10));
  private static final long NOW = T + 1_000;
  private static final Outcome MAYBE = new Outcome.Unavailable(LOST, /* mayBeCharged= */ true);

  /** A commit of two callers and a settlement, whose write was lost and not made. */
  private static Script<CommitResult> lost() {
    return commit(seen(SEEN), NOW, charge(1), acquire(2), acquire(3))
        .lose(WritePlan.Locked.class, NOW + 10);
  }

  /** The bucket as it was last seen. */
  private static BucketState left(CommitResult result) {
    return Objects.requireNonNull(result.snapshot()).state();
  }

  @Test
  void locked_lockStillThere_isSentAgainAndAdmitsTheWholeBatch() {
    Script<CommitResult> script = commit(seen(SEEN), NOW, charge(1), acquire(2), acquire(3));
    WritePlan.Locked first = script.plan(WritePlan.Locked.class);
    script.lose(WritePlan.Locked.class, NOW + 10).read(SEEN, NOW + 20);
    WritePlan.Locked second = script.plan(WritePlan.Locked.class);
    assertThat(second.op()).isEqualTo(first.op());
    assertThat(second.expectedRefilledAtMs()).isEqualTo(first.expectedRefilledAtMs());
    assertThat(second.refilledAtMs()).as("no time is left unclaimed").isEqualTo(NOW + 20);

    CommitResult result = script.write(WritePlan.Locked.class, SEEN, NOW + 30).result();

    assertThat(result.outcomes())
        .containsExactly(Outcome.SETTLED, Outcome.ADMITTED, Outcome.ADMITTED);
    assertThat(result.trace()).isEqualTo(NOTHING.withUnknownOutcome());
    assertThat(left(result)).isEqualTo(PureStore.applied(SEEN, second));
  }

  /** The first was under way when the bucket was read, and arrived before the second. */
  @Test
  void locked_resentAndRefusedByItsOwnId_wasMadeOnce() {
    Script<CommitResult> script = lost().read(SEEN, NOW + 20);
    BucketState made = PureStore.applied(SEEN, script.plan(WritePlan.Locked.class));

    CommitResult result = script.write(WritePlan.Locked.class, made, NOW + 30).result();

    assertThat(result.outcomes())
        .containsExactly(Outcome.SETTLED, Outcome.ADMITTED, Outcome.ADMITTED);
    assertThat(left(result)).isEqualTo(made);
  }

  @Test
  void locked_resentAndRefusedByAnothersWrite_isUnknown() {
    BucketState theirs = bucket(T + 500, holds(RPM, 9));

    CommitResult result =
        commit(seen(SEEN), NOW, acquire(2))
            .lose(WritePlan.Locked.class, NOW + 10)
            .read(SEEN, NOW + 20)
            .write(WritePlan.Locked.class, theirs, NOW + 30)
            .result();

    assertThat(result.outcomes()).containsExactly(MAYBE);
  }

  /** Somebody consumed without the lock, so the floor refuses; the first may still arrive. */
  @Test
  void locked_resentAndRefusedUnderTheOldLock_isUnknown() {
    BucketState drained = bucket(T, holds(RPM, 0));

    CommitResult result =
        commit(seen(SEEN), NOW, acquire(5))
            .lose(WritePlan.Locked.class, NOW + 10)
            .read(SEEN, NOW + 20)
            .write(WritePlan.Locked.class, drained, NOW + 30)
            .result();

    assertThat(result.outcomes()).containsExactly(MAYBE);
  }

  @Test
  void locked_lostEveryTime_isSentSoOftenAndNotMore() {
    Script<CommitResult> script = commit(seen(SEEN), NOW, acquire(2));
    for (int i = 0; i <= CommitProtocol.MAX_RESENDS; i++) {
      script.lose(WritePlan.Locked.class, NOW + 10).read(SEEN, NOW + 20);
    }

    assertThat(script.result().outcomes()).containsExactly(MAYBE);
    assertThat(script.result().trace().unknownOutcomes()).isEqualTo(1 + CommitProtocol.MAX_RESENDS);
  }

  /** What was to be settled is a charge that must not be lost: it is sent by itself. */
  @Test
  void locked_resentAndThrottled_asksNoMoreButChargesWhatIsSettled() {
    CommitResult result =
        lost()
            .read(SEEN, NOW + 20)
            .throttle(WritePlan.Locked.class, NOW + 30)
            .commit(WritePlan.Adjust.class, SEEN, NOW + 40)
            .result();

    assertThat(result.outcomes()).containsExactly(Outcome.SETTLED, MAYBE, MAYBE);
  }

  /** Its lock does not move within a millisecond: both could be made. */
  @Test
  void locked_thatDoesNotMoveTheLock_isNotSentAgain() {
    CommitResult result =
        commit(seen(SEEN), T, acquire(2)).lose(WritePlan.Locked.class, T).read(SEEN, T).result();

    assertThat(result.outcomes()).containsExactly(MAYBE);
  }

  @Test
  void consume_whateverTheBucketShows_isNotSentAgain() {
    BucketSnapshot contended = BucketSnapshot.of(SEEN, T).contendedNext(SEEN, T, 80);

    CommitResult result =
        commit(LIMITS, contended, T + 1, acquire(2))
            .lose(WritePlan.Consume.class, T + 10)
            .read(SEEN, T + 20)
            .result();

    assertThat(result.outcomes()).containsExactly(MAYBE);
  }

  @Test
  void create_stillNoBucket_isSentAgain() {
    Script<CommitResult> script =
        commit(EffectiveLimits.ofCall(LIMITS), null, T, acquire(5)).read(null, T);
    String op = script.plan(WritePlan.Create.class).op();
    script.lose(WritePlan.Create.class, T + 10).read(null, T + 20);
    assertThat(script.plan(WritePlan.Create.class).op()).isEqualTo(op);

    CommitResult result = script.write(WritePlan.Create.class, null, T + 30).result();

    assertThat(result.outcomes()).isEqualTo(List.of(Outcome.ADMITTED));
    assertThat(result.trace()).isEqualTo(NOTHING.withCreated().withUnknownOutcome());
  }

  /** The terms were looked up for the first; a new bucket must not begin with old ones. */
  @Test
  void create_lostForLong_isNotSentAgain() {
    CommitResult result =
        commit(EffectiveLimits.ofCall(LIMITS), null, T, acquire(5))
            .read(null, T)
            .lose(WritePlan.Create.class, T + 90)
            .read(null, T + 101)
            .result();

    assertThat(result.outcomes()).containsExactly(MAYBE);
  }

  /**
   * Others took what it counted on: it cannot take the same, and nobody could tell the two apart.
   */
  @Test
  void locked_whatItTookIsGone_isNotSentAgain() {
    CommitResult result =
        commit(seen(SEEN), NOW, acquire(8))
            .lose(WritePlan.Locked.class, NOW + 10)
            .read(bucket(T, holds(RPM, 3)), NOW + 20)
            .result();

    assertThat(result.outcomes()).containsExactly(MAYBE);
  }
}
