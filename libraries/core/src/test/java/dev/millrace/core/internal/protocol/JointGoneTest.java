package dev.millrace.core.internal.protocol;

import static dev.millrace.core.internal.protocol.JointCase.KEY;
import static dev.millrace.core.internal.protocol.JointCase.RPM;
import static dev.millrace.core.internal.protocol.JointCase.TEAM;
import static dev.millrace.core.internal.protocol.JointCase.bucket;
import static dev.millrace.core.internal.protocol.JointCase.part;
import static dev.millrace.core.internal.protocol.JointCase.seen;
import static dev.millrace.core.internal.protocol.JointCase.start;
import static dev.millrace.core.testing.Buckets.T;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.BucketKey;
import dev.millrace.core.internal.protocol.TransactionProtocol.Outcome;
import dev.millrace.core.internal.protocol.TransactionProtocol.Part;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.testing.PureTable;
import dev.millrace.core.testing.Script;
import dev.millrace.core.testing.Shards;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One of the shards that a joint commit draws on is not there. */
class JointGoneTest {
  private static final BucketKey SHARD = TEAM.withShard(1);
  private static final BucketState KEY_TEN = bucket(KEY, 10);
  private static final BucketState SHARD_TEN =
      new BucketState(
          SHARD,
          T,
          List.of(new LimitState(RPM, 10_000, 0)),
          Division.of(2, 2),
          1_000_000,
          BucketState.NEVER,
          "op-before",
          JointCase.FIVE);
  private static final List<Part> BOTH = List.of(part(KEY, 1), part(SHARD, 2));
  private final PureTable table = new PureTable();

  @Test
  void read_shardNotThere_isGoneAndNothingIsCharged() {
    table.put(KEY_TEN);

    TransactionProtocol.Result result = start(BOTH, T, null, null).finish(table, T);

    assertThat(result.outcome()).isEqualTo(new Outcome.Gone(List.of(1)));
    assertThat(result.snapshots()).containsExactly(seen(KEY_TEN), null);
    assertThat(table.get(KEY)).isEqualTo(KEY_TEN);
    assertThat(table.get(SHARD)).isNull();
  }

  /** The first shard of a bucket may be made; any other one not. */
  @Test
  void read_neitherThere_namesTheShardAlone() {
    assertThat(start(BOTH, T, null, null).finish(table, T).outcome())
        .isEqualTo(new Outcome.Gone(List.of(1)));
    assertThat(table.get(KEY)).isNull();
  }

  @Test
  void start_absentAMomentAgo_isGoneWithoutACall() {
    TransactionProtocol commit =
        new TransactionProtocol(BOTH, PlanSettings.DEFAULT, CommitCase.ops());

    TransactionProtocol.Result result =
        Script.of(commit.start(Arrays.asList(seen(KEY_TEN), null), Set.of(1), T)).result();

    assertThat(result.outcome()).isEqualTo(new Outcome.Gone(List.of(1)));
  }

  /** It comes before any other answer: who drew on the wrong shard has not been answered. */
  @Test
  void start_goneAndRefused_isGone() {
    List<Part> parts = List.of(part(KEY, 61), part(SHARD, 2));
    table.put(KEY_TEN);

    assertThat(start(parts, T, null, null).finish(table, T).outcome())
        .isEqualTo(new Outcome.Gone(List.of(1)));
  }

  @Test
  void send_mergedSinceItWasSeen_isGone() {
    table.put(KEY_TEN);
    Script<TransactionProtocol.Result> script = start(BOTH, T, seen(KEY_TEN), seen(SHARD_TEN));
    assertThat(script.transaction()).hasOnlyElementsOfType(WritePlan.Locked.class);

    TransactionProtocol.Result result = script.answer(table, T).result();

    assertThat(result.outcome()).isEqualTo(new Outcome.Gone(List.of(1)));
    assertThat(result.snapshots().get(1)).isNull();
    assertThat(table.get(KEY)).isEqualTo(KEY_TEN);
  }

  @Test
  void send_splitSinceItWasSeen_decidesAgainForItsNewShare() {
    table.put(KEY_TEN);
    table.put(Shards.divided(Division.of(4, 4), SHARD_TEN));

    TransactionProtocol.Result result =
        start(BOTH, T, seen(KEY_TEN), seen(SHARD_TEN)).finish(table, T + 1);

    assertThat(result.outcome()).isEqualTo(new Outcome.Admitted());
    assertThat(Objects.requireNonNull(table.get(SHARD)).division()).isEqualTo(Division.of(4, 4));
  }
}
