package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.commit;
import static dev.millrace.core.internal.protocol.CommitCase.ops;
import static dev.millrace.core.internal.protocol.CommitCase.seen;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureStore;
import dev.millrace.core.testing.Script;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What was billed is debited, whatever it was billed for. */
class PricedWritesTest {
  private static final BucketState TEN = bucket(T, holds(RPM, 10));

  @Test
  void commit_firstAttempt_costsAUnit() {
    assertThat(addWcuMilli(commit(seen(TEN), T, acquire(1)))).isEqualTo(-1_000);
  }

  /** A refused write is billed like an applied one. */
  @Test
  void commit_afterRefusals_paysForThemToo() {
    Script<CommitResult> script = commit(seen(TEN), T, acquire(1));
    script.write(WritePlan.Locked.class, bucket(T + 5_000, holds(RPM, 9)), T + 9_000);

    assertThat(addWcuMilli(script)).as("full: 4,000 units were earned").isEqualTo(-2_000);
    script.write(WritePlan.Locked.class, bucket(T + 6_000, holds(RPM, 9)), T + 12_000);
    assertThat(addWcuMilli(script)).isEqualTo(-3_000);
  }

  @Test
  void commit_bucketThatIsBilledMore_costsAsMuch() {
    Script<CommitResult> script = commit(seen(TEN), T, acquire(1));
    BucketState after = PureStore.applied(TEN, script.plan(WritePlan.Locked.class));
    Receipt two = new Receipt(0, 2, 0, Receipt.NO_TIME);
    BucketSnapshot large =
        Objects.requireNonNull(
            script.answer(new StoreReply.Applied(after, two), T).result().snapshot());

    assertThat(large.writeUnits()).isEqualTo(2);
    assertThat(addWcuMilli(commit(large, T, acquire(1)))).isEqualTo(-2_000);
  }

  /** In a transaction a write costs twice as much. */
  @Test
  void jointCommit_everyWrite_costsTwice() {
    List<Part> parts = List.of(new Part(KEY, EffectiveLimits.ofCall(LIMITS), tokens(LIMITS, 1)));
    TransactionProtocol commit = new TransactionProtocol(parts, PlanSettings.DEFAULT, ops());
    Script<TransactionProtocol.Result> script = Script.of(commit.start(List.of(seen(TEN)), T));

    assertThat(((WritePlan.Locked) script.transaction().get(0)).addWcuMilli()).isEqualTo(-2_000);
    BucketState theirs = bucket(T + 5_000, holds(RPM, 9));
    script.answer(
        new StoreReply.Cancelled(
            List.of(new StoreReply.Cancelled.Cause(true, theirs, null)), Receipt.NONE),
        T + 9_000);
    assertThat(((WritePlan.Locked) script.transaction().get(0)).addWcuMilli()).isEqualTo(-4_000);
  }

  @Test
  void settle_afterARefusal_paysForItToo() {
    SettleProtocol settle =
        new SettleProtocol(KEY, EffectiveLimits.ofCall(LIMITS), PlanSettings.DEFAULT, ops());
    Script<SettleProtocol.Result> script = Script.of(settle.start(tokens(LIMITS, 1), null, T));

    assertThat(script.plan(WritePlan.Adjust.class).addWcuMilli()).isEqualTo(-1_000);
    script.answer(new StoreReply.Refused(TEN, Receipt.NONE), T);
    assertThat(script.plan(WritePlan.Adjust.class).addWcuMilli()).isEqualTo(-2_000);
  }

  /** What was refused elsewhere was billed to another partition. */
  @Test
  void settle_climbed_paysOnlyForWhatItAsksOfTheParent() {
    SettleProtocol settle =
        new SettleProtocol(
            KEY.withShard(1), EffectiveLimits.ofCall(LIMITS), PlanSettings.DEFAULT, ops());
    Script<SettleProtocol.Result> script = Script.of(settle.start(tokens(LIMITS, 1), null, T));
    script.answer(new StoreReply.Refused(null, Receipt.NONE), T);

    WritePlan.Adjust climbed = script.plan(WritePlan.Adjust.class);
    assertThat(climbed.key()).isEqualTo(KEY);
    assertThat(climbed.addWcuMilli()).isEqualTo(-1_000);
  }

  private static long addWcuMilli(Script<CommitResult> script) {
    return script.plan(WritePlan.Locked.class).addWcuMilli();
  }
}
