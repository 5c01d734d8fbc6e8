package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.internal.protocol.SplitMergeProtocol;
import dev.millrace.core.internal.protocol.Step;
import dev.millrace.core.spi.bucket.BucketState.Division;
import dev.millrace.core.spi.bucket.WriteUnits;
import dev.millrace.core.spi.plan.PlanSettings;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResizeTest {
  private static final BucketKey KEY = BucketKey.first(World.NS, "e", "r");

  private final World world = new World();
  private final BucketAdmin buckets = world.ns.buckets();
  private int ops;

  private void given(int shards) {
    world.ns.limits().set(LimitTarget.resource("r"), World.RPM_100);
    world.open("e", "r", shards);
  }

  private BucketReport view() {
    return buckets.get("e", "r").orElseThrow();
  }

  @Test
  void resize_more_isWrittenDownWithItsEventAndSplitsNothing() {
    given(1);

    assertThat(buckets.resize("e", "r", 8)).isTrue();

    assertThat(world.bucket("e", "r").division()).isEqualTo(Division.of(8, 1));
    assertThat(view().shards()).isEqualTo(1);
    assertThat(view().targetShards()).isEqualTo(8);
    assertThat(world.actions("e")).containsExactly("bucket.resize");
    AuditEntry event = world.ns.audit().ofEntity("e", AuditQuery.newest(1)).items().get(0);
    assertThat(event.before()).containsEntry("shards", "1").containsEntry("resource", "r");
    assertThat(event.after()).containsEntry("shards", "8").containsEntry("resource", "r");
    assertThat(world.bucket("e", "r").wcuMilli())
        .isEqualTo(WriteUnits.DYNAMODB.fullMilli() - 2_000);
  }

  /** Whoever draws on shards divides the bucket, and brings it together again. */
  @Test
  void resize_moreAndLess_shardsFollowWhenTheyAreDrawnOn() {
    given(1);
    buckets.resize("e", "r", 4);
    draw(4);
    assertThat(view().shards()).isEqualTo(4);
    assertThat(view().limits().get(0).available()).isEqualTo(100);

    buckets.resize("e", "r", 1);
    draw(4);

    assertThat(view().shards()).isEqualTo(1);
    assertThat(view().targetShards()).isEqualTo(1);
    assertThat(view().limits().get(0).available()).isEqualTo(100);
  }

  /** Draws on every shard as often as there are steps at most. */
  private void draw(int shards) {
    for (int i = 0; i < shards * shards; i++) {
      SplitMergeProtocol reshape =
          new SplitMergeProtocol(
              KEY.withShard(i % shards), PlanSettings.DEFAULT, () -> "draw-" + ++ops);
      Step<SplitMergeProtocol.Result> step = reshape.start();
      while (step instanceof Step.Ask<SplitMergeProtocol.Result> ask) {
        List<StoreReply> replies =
            ask.calls().stream().map(call -> world.memory.execute(call, 1_000)).toList();
        step = ask.next().resume(replies, world.clock.nowMs());
      }
    }
  }

  @Test
  void resize_same_writesNothing() {
    given(2);
    world.recording.clear();

    assertThat(buckets.resize("e", "r", 2)).isFalse();

    assertThat(world.recording.roundTrips(Calls.transactions())).isZero();
    assertThat(world.actions("e")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {-2, 0, 3, 6, 65, 128, 1 << 16})
  void resize_notAPowerOfTwoUpTo64_isRefused(int shards) {
    given(1);
    assertThatThrownBy(() -> buckets.resize("e", "r", shards))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shards " + shards + " must be a power of two from 1 to 64");
    assertThat(world.actions("e")).isEmpty();
  }

  @Test
  void resize_noBucket_isRefused() {
    RefusalAssertion.because(
        world, Reason.UNKNOWN_BUCKET, "default/e/r#0", () -> buckets.resize("e", "r", 2));
  }

  @Test
  void resize_limiterWasFaster_isPlannedAnew() {
    given(1);
    NamespaceAdmin other = world.another().in(World.NS);
    world.store.once(Calls.transactions(), Fault.before(() -> other.buckets().resize("e", "r", 2)));

    assertThat(buckets.resize("e", "r", 16)).isTrue();

    assertThat(view().targetShards()).isEqualTo(16);
    AuditEntry event = world.ns.audit().ofEntity("e", AuditQuery.newest(1)).items().get(0);
    assertThat(event.before()).containsEntry("shards", "2");
  }

  @Test
  void resize_splitMeanwhile_doesNotMatter() {
    given(1);
    buckets.resize("e", "r", 2);
    world.store.once(Calls.transactions(), Fault.before(() -> world.split(KEY)));

    assertThat(buckets.resize("e", "r", 4)).isTrue();

    assertThat(world.bucket("e", "r").division()).isEqualTo(Division.of(4, 2));
    assertThat(view().shards()).isEqualTo(2);
  }

  @Test
  void resize_lostAnswer_isMadeOnce() {
    given(1);
    world.store.once(Calls.transactions(), Fault.loseReply());
    assertThat(buckets.resize("e", "r", 4)).isTrue();
    assertThat(world.actions("e")).containsExactly("bucket.resize");
  }

  @Test
  void resize_storeAway_endsInAnError() {
    given(1);
    world.store.always(Calls.transactions(), Fault.unreachable());
    assertThatThrownBy(() -> buckets.resize("e", "r", 4))
        .isInstanceOf(LimiterUnavailableException.class);
    assertThat(world.bucket("e", "r").division()).isEqualTo(Division.NONE);
  }
}
