package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.CommitCase.LIMITS;
import static dev.millrace.core.internal.protocol.CommitCase.NOTHING;
import static dev.millrace.core.internal.protocol.CommitCase.RPM;
import static dev.millrace.core.internal.protocol.CommitCase.acquire;
import static dev.millrace.core.internal.protocol.CommitCase.charge;
import static dev.millrace.core.internal.protocol.CommitCase.ops;
import static dev.millrace.core.testing.Buckets.KEY;
import static dev.millrace.core.testing.Buckets.T;
import static dev.millrace.core.testing.Buckets.bucket;
import static dev.millrace.core.testing.Buckets.holds;
import static dev.millrace.core.testing.Buckets.tokens;
import static dev.millrace.core.testing.Script.CONFLICT;
import static dev.millrace.core.testing.Script.LOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.CommitResult.Outcome;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.core.spi.store.StoreReply.Receipt;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A shard that is not there is never made: its share is another one's. */
class CommitGoneTest {
  private static final BucketKey SHARD = KEY.withShard(3);
  private static final BucketState THERE = Shards.shard(3, 4, T, holds(RPM, 10));
  private static final StoreReply UNKNOWN = new StoreReply.Unknown(LOST, Receipt.NONE);
  private final PureTable table = new PureTable();

  @Test
  void start_neverSeenAndNotThere_isGone() {
    Script<CommitResult> script = commit(null, acquire(1));

    assertThat(script.call()).isEqualTo(new StoreCall.Read(SHARD));
    assertThat(script.answer(table, T).result())
        .isEqualTo(new CommitResult(List.of(Outcome.GONE), null, NOTHING));
  }

  @Test
  void write_goneSinceItWasSeen_isGone() {
    Script<CommitResult> script = commit(BucketSnapshot.of(THERE, T), acquire(1));

    assertThat(script.plan(WritePlan.Locked.class).level()).isEqualTo(4);
    assertThat(script.answer(table, T).result().outcomes()).containsExactly(Outcome.GONE);
    assertThat(table.shards(KEY)).isEmpty();
  }

  @Test
  void startAbsent_shardOfSeveral_isGoneWithoutACall() {
    assertThat(Script.of(of(true, acquire(1)).startAbsent(T)).result().outcomes())
        .containsExactly(Outcome.GONE);
  }

  /** Who is not up to date learns the same: whatever holds, there is no such shard. */
  @Test
  void start_termsThatMayNotCreate_isGoneAllTheSame() {
    Script<CommitResult> script = Script.of(of(false, acquire(1)).start(null, T));

    assertThat(script.answer(table, T).result().outcomes()).containsExactly(Outcome.GONE);
  }

  @Test
  void start_prefetch_isSkipped() {
    BucketDemand ahead = BucketDemand.prefetch(tokens(LIMITS, 5), tokens(LIMITS, 1));

    assertThat(commit(null, acquire(1), ahead).answer(table, T).result().outcomes())
        .containsExactly(Outcome.GONE, Outcome.SKIPPED);
  }

  /** Those who ask are told; what is to be settled is settled where the share has gone. */
  @Test
  void start_acquireAndSettle_settlesTheParent() {
    BucketState parent = Shards.shard(1, 2, T, holds(RPM, 10));
    table.put(parent);
    Script<CommitResult> script = commit(null, acquire(1), charge(4)).answer(table, T);

    assertThat(script.plan(WritePlan.Adjust.class).key()).isEqualTo(SHARD);
    WritePlan.Adjust climbed = script.answer(table, T).plan(WritePlan.Adjust.class);
    assertThat(climbed.key()).isEqualTo(parent.key());
    assertThat(climbed.expiresAtSeconds()).isEqualTo(BucketState.NEVER);
    CommitResult result = script.answer(table, T).result();

    assertThat(result.outcomes()).containsExactly(Outcome.GONE, Outcome.SETTLED);
    assertThat(get(parent.key()).limits()).containsExactly(new LimitState(RPM, 6_000, 4_000));
    assertThat(table.shards(KEY)).hasSize(1);
    assertThat(Objects.requireNonNull(result.snapshot()).state()).isEqualTo(get(parent.key()));
  }

  @Test
  void write_goneSinceItWasSeen_settlesTheParentToo() {
    table.put(Shards.shard(1, 2, T, holds(RPM, 10)));

    CommitResult result =
        commit(BucketSnapshot.of(THERE, T), charge(-2), acquire(1)).finish(table, T);

    assertThat(result.outcomes()).containsExactly(Outcome.SETTLED, Outcome.GONE);
    assertThat(Shards.tokensMilli(get(KEY.withShard(1)), "rpm")).isEqualTo(12_000);
  }

  @Test
  void write_conflictAndThenGone_isGone() {
    Script<CommitResult> script = commit(BucketSnapshot.of(THERE, T), acquire(1));

    script.answer(new StoreReply.NotApplied(CONFLICT, Receipt.NONE), T);
    assertThat(script.finish(table, T).outcomes()).containsExactly(Outcome.GONE);
  }

  /** It may have been made before the shard was merged: nobody can say. */
  @Test
  void write_answerLostAndGone_mayBeCharged() {
    table.put(bucket(T, holds(RPM, 10)));
    Script<CommitResult> script = commit(BucketSnapshot.of(THERE, T), acquire(1), charge(4));

    CommitResult result = script.answer(UNKNOWN, T).finish(table, T);

    assertThat(result.outcomes())
        .containsExactly(new Outcome.Unavailable(LOST, /* mayBeCharged= */ true), Outcome.SETTLED);
    assertThat(result.trace().unknownOutcomes()).isEqualTo(1);
    assertThat(Shards.tokensMilli(get(KEY), "rpm")).as("once more, where it went").isEqualTo(6_000);
    assertThat(table.shards(KEY)).hasSize(1);
  }

  /** A bucket that is gone as a whole is made anew by a charge, as its first shard. */
  @Test
  void start_settleAndNoBucketAtAll_makesTheFirstShard() {
    CommitResult result = commit(null, acquire(1), charge(4)).finish(table, T);

    assertThat(result.outcomes()).containsExactly(Outcome.GONE, Outcome.SETTLED);
    assertThat(table.shards(KEY)).extracting(BucketState::key).containsExactly(KEY);
    assertThat(Shards.tokensMilli(get(KEY), "rpm")).isEqualTo(56_000);
  }

  private BucketState get(BucketKey key) {
    return Objects.requireNonNull(table.get(key));
  }

  private static CommitProtocol of(boolean mayCreate, BucketDemand... demands) {
    return new CommitProtocol(
        SHARD,
        EffectiveLimits.ofCall(LIMITS),
        mayCreate,
        List.of(demands),
        PlanSettings.DEFAULT,
        ops());
  }

  private static Script<CommitResult> commit(
      @Nullable BucketSnapshot known, BucketDemand... demands) {
    return Script.of(of(true, demands).start(known, T));
  }
}
