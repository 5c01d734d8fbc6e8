package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static dev.millrace.core.testing.Script.SLOW_DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.plan.WritePlan.LimitChange;
import dev.millrace.core.testing.Script;
import org.junit.jupiter.api.Test;

/** What is provided for requests to come leaves the others what they need. */
class CommitPrefetchTest {
  private static final BucketState SEEN = bucket(T, holds(RPM, 10));

  @Test
  void start_plenty_isChargedInTheSameWrite() {
    Script<CommitResult> script = commit(seen(SEEN), T, prefetch(4, 3), acquire(3));

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(new LimitChange("rpm", -7_000, 7_000, 7_000, 60_000));
    assertThat(script.write(WritePlan.Locked.class, SEEN, T).result().outcomes())
        .containsExactly(Outcome.ADMITTED, Outcome.ADMITTED);
  }

  @Test
  void start_tooLittleWouldBeLeft_isSkipped() {
    Script<CommitResult> script = commit(seen(SEEN), T, prefetch(4, 4), acquire(3));

    assertThat(script.plan(WritePlan.Locked.class).changes())
        .containsExactly(new LimitChange("rpm", -3_000, 3_000, 3_000, 60_000));
    assertThat(script.write(WritePlan.Locked.class, SEEN, T).result().outcomes())
        .containsExactly(Outcome.SKIPPED, Outcome.ADMITTED);
  }

  @Test
  void start_settlesAndAcquiresBehindIt_comeFirst() {
    Script<CommitResult> script = commit(seen(SEEN), T, prefetch(1, 0), charge(5), acquire(5));

    assertThat(script.write(WritePlan.Locked.class, SEEN, T).result().outcomes())
        .containsExactly(Outcome.SKIPPED, Outcome.SETTLED, Outcome.ADMITTED);
  }

  @Test
  void start_aloneAndSkipped_makesNoCall() {
    assertThat(commit(seen(SEEN), T, prefetch(5, 6)).result().outcomes())
        .containsExactly(Outcome.SKIPPED);
  }

  @Test
  void write_throttled_skippedStaysSkipped() {
    assertThat(
            commit(seen(SEEN), T, prefetch(5, 6), acquire(1))
                .throttle(WritePlan.Locked.class, T)
                .result()
                .outcomes())
        .containsExactly(
            Outcome.SKIPPED, new Outcome.Unavailable(SLOW_DOWN, /* mayBeCharged= */ false));
  }

  private static BucketDemand prefetch(long tokens, long leave) {
    return BucketDemand.prefetch(tokens(LIMITS, tokens), tokens(LIMITS, leave));
  }
}
