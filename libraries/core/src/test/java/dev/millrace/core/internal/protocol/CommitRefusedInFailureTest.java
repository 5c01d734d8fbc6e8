package dev.millrace.core.internal.protocol;

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

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreFailure;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.Script;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Who was refused shares a batch with a write that fails. It was not in that write: it is not
 * charged, and no policy for an absent store may admit it.
 */
class CommitRefusedInFailureTest {
  private static final BucketState SEEN = bucket(T, holds(RPM, 10));
  private static final Outcome MAYBE = new Outcome.Unavailable(LOST, /* mayBeCharged= */ true);

  @Test
  void write_throttled_refusedStaysRefused() {
    List<Outcome> outcomes =
        commit(seen(SEEN), T, acquire(11), acquire(5))
            .throttle(WritePlan.Locked.class, T)
            .result()
            .outcomes();

    assertRefused(outcomes.get(0));
    assertThat(outcomes.get(1))
        .isEqualTo(new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false));
  }

  @Test
  void write_answerLost_refusedStaysRefused() {
    List<Outcome> outcomes =
        commit(seen(SEEN), T, acquire(11), acquire(5))
            .lose(WritePlan.Locked.class, T)
            .read(SEEN, T)
            .result()
            .outcomes();

    assertRefused(outcomes.get(0));
    assertThat(outcomes.get(1)).isEqualTo(MAYBE);
  }

  @Test
  void write_answerLostAndTheReadFails_refusedStaysRefused() {
    List<Outcome> outcomes =
        commit(seen(SEEN), T, acquire(11), acquire(5))
            .lose(WritePlan.Locked.class, T)
            .readFails(new StoreReply.Unknown(LOST, Receipt.NONE), T)
            .result()
            .outcomes();

    assertRefused(outcomes.get(0));
    assertThat(outcomes.get(1)).isEqualTo(MAYBE);
  }

  @Test
  void write_answerLostAndTheChargeIsSentAgain_refusedStaysRefused() {
    List<Outcome> outcomes =
        commit(seen(SEEN), T, acquire(11), acquire(5), charge(1))
            .lose(WritePlan.Locked.class, T)
            .read(SEEN, T)
            .commit(WritePlan.Adjust.class, SEEN, T)
            .result()
            .outcomes();

    assertRefused(outcomes.get(0));
    assertThat(outcomes.subList(1, 3)).containsExactly(MAYBE, new Outcome.Settled());
  }

  @Test
  void write_healingOfAnEmptyBucketFails_refusedStaysRefused() {
    BucketState wild = bucket(T + 3_600_000, holds(RPM, 10));

    List<Outcome> outcomes =
        commit(BucketSnapshot.of(wild, T), T, acquire(11))
            .throttle(WritePlan.Locked.class, T)
            .result()
            .outcomes();

    assertRefused(outcomes.get(0));
  }

  @Test
  void write_refusedEveryTime_refusedStaysRefused() {
    Script<CommitResult> script = commit(seen(SEEN), T, acquire(61), acquire(1));
    for (int i = 1; i <= CommitProtocol.MAX_ATTEMPTS; i++) {
      script.write(WritePlan.Locked.class, bucket(T + i, holds(RPM, 10)), T + i * 1_000L);
    }

    List<Outcome> outcomes = script.result().outcomes();
    assertRefused(outcomes.get(0));
    assertThat(outcomes.get(1))
        .isEqualTo(
            new Outcome.Unavailable(
                new StoreFailure(StoreFailure.Kind.CONTENDED, null), /* mayBeCharged= */ false));
  }

  private static void assertRefused(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Rejected.class);
  }
}
