package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.admin.ChangeRefusedException.Reason;
import dev.millrace.core.spi.config.ConfigLevel;
import dev.millrace.core.spi.config.ConfigStamp;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class BucketAdminTest {
  private static final LimitSet TWO =
      LimitSet.of(Limit.perHour("rph", 60), Limit.perHour("tph", 1_000));
  private static final BucketKey KEY = BucketKey.first(World.NS, "e", "r");

  private final World world = new World();
  private final BucketAdmin buckets = world.ns.buckets();

  private void given(int shards) {
    world.ns.limits().set(LimitTarget.resource("r"), TWO);
    world.open("e", "r", shards);
    world.clock.advance(Duration.ofMillis(1));
  }

  private static boolean transaction(StoreCall call) {
    return call instanceof StoreCall.Transaction;
  }

  private long tokens(String limit, int shard) {
    return Objects.requireNonNull(world.bucket("e", "r", shard).find(limit)).tokensMilli();
  }

  private long consumed(String limit) {
    return Objects.requireNonNull(world.bucket("e", "r").find(limit)).consumedMilli();
  }

  @Test
  void get_allShards_areAddedUp() {
    assertThat(buckets.get("e", "r")).isEmpty();
    given(4);
    world.charge(new BucketKey(World.NS, "e", "r", 2), "rph", 20);

    BucketReport view = buckets.get("e", "r").orElseThrow();

    assertThat(view.shards()).isEqualTo(4);
    assertThat(view.targetShards()).isEqualTo(4);
    assertThat(view.stamp().level()).isEqualTo(ConfigLevel.RESOURCE);
    assertThat(view.limits()).extracting(each -> each.limit().name()).containsExactly("rph", "tph");
    assertThat(view.limits().get(0).limit()).isEqualTo(TWO.get(0));
    assertThat(view.limits().get(0).available()).isEqualTo(60 - 20);
    assertThat(view.limits().get(0).consumedMilli()).isEqualTo(20_000);
    assertThat(view.limits().get(1).available()).isEqualTo(1_000);
  }

  @Test
  void reset_inDebt_fillsEveryShardWithOneEvent() {
    given(4);
    world.charge(KEY, "rph", 100);
    world.charge(new BucketKey(World.NS, "e", "r", 2), "tph", 10);

    OperationResult result = buckets.reset("e", "r", "op-1");

    assertThat(result)
        .isEqualTo(new OperationResult("op-1", false, 4, Instant.ofEpochMilli(World.START_MS + 1)));
    for (int shard = 0; shard < 4; shard++) {
      assertThat(tokens("rph", shard)).isEqualTo(15_000);
      assertThat(tokens("tph", shard)).isEqualTo(250_000);
    }
    assertThat(consumed("rph")).as("what was consumed stays counted").isEqualTo(100_000);
    assertThat(world.actions("e")).containsExactly("bucket.reset");
    AuditEntry event = world.ns.audit().ofEntity("e", AuditQuery.newest(1)).items().get(0);
    assertThat(event.before()).containsEntry("tokens.rph", "-40");
    assertThat(event.after())
        .containsEntry("tokens.rph", "60")
        .containsEntry("operation", "op-1")
        .containsEntry("resource", "r");
  }

  @Test
  void reset_someLimits_leavesTheOthers() {
    given(1);
    world.charge(KEY, "rph", 100);
    world.charge(KEY, "tph", 10);

    buckets.reset("e", "r", Set.of("tph"), "op-1");

    assertThat(tokens("rph", 0)).isNegative();
    assertThat(tokens("tph", 0)).isEqualTo(1_000_000);
    RefusalAssertion.because(
        world,
        Reason.UNKNOWN_LIMIT,
        "limit=rpx",
        () -> buckets.reset("e", "r", Set.of("rpx"), "op-2"));
  }

  @Test
  void topUp_ceiling_isNeverExceeded() {
    given(1);
    world.charge(KEY, "tph", 500);

    buckets.topUp("e", "r", Map.of("tph", 100L, "rph", 5L), "op-1");

    assertThat(tokens("tph", 0)).isBetween(600_000L, 601_000L);
    assertThat(tokens("rph", 0)).isEqualTo(60_000);
    assertThat(world.actions("e")).containsExactly("bucket.topUp");
    assertThatThrownBy(() -> buckets.topUp("e", "r", Map.of("tph", 0L), "op-2"))
        .hasMessage("limit 'tph': amount 0 must be from 1 to 1000000000000000");
    assertThatThrownBy(() -> buckets.topUp("e", "r", Map.of(), "op-2"))
        .hasMessage("amounts: at least one is needed");
  }

  @Test
  void repeated_sameOperationId_doesNothingAndSaysSo() {
    given(2);
    world.charge(KEY, "tph", 500);
    OperationResult first = buckets.topUp("e", "r", Map.of("tph", 100L), "op-1");
    long after = tokens("tph", 0);
    world.clock.advance(Duration.ofSeconds(5));

    OperationResult again =
        world.another().in(World.NS).buckets().topUp("e", "r", Map.of("tph", 100L), "op-1");

    assertThat(again).isEqualTo(new OperationResult("op-1", true, 2, first.at()));
    assertThat(tokens("tph", 0)).isEqualTo(after);
    assertThat(world.actions("e")).containsExactly("bucket.topUp");
    RefusalAssertion.because(
        world,
        Reason.OPERATION_REUSED,
        "op-1",
        () -> buckets.topUp("e", "r", Map.of("tph", 101L), "op-1"));
    RefusalAssertion.because(
        world, Reason.OPERATION_REUSED, "op-1", () -> buckets.reset("f", "r", "op-1"));
  }

  @Test
  void lostAnswer_isDoneOnce() {
    given(1);
    world.charge(KEY, "tph", 500);
    world.store.once(BucketAdminTest::transaction, Fault.loseReply());

    OperationResult result = buckets.topUp("e", "r", Map.of("tph", 100L), "op-1");

    assertThat(result.doneBefore()).isFalse();
    assertThat(tokens("tph", 0)).isBetween(600_000L, 601_000L);
    assertThat(world.actions("e")).containsExactly("bucket.topUp");
  }

  @Test
  void lostAnswersAndDeath_repeatedByAnotherProcess_isDoneOnce() {
    given(1);
    world.charge(KEY, "tph", 500);
    world.store.always(BucketAdminTest::transaction, Fault.loseReply());
    assertThatThrownBy(() -> buckets.topUp("e", "r", Map.of("tph", 100L), "op-1"))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("mayBeMade=true");
    world.store.heal();
    long after = tokens("tph", 0);

    OperationResult again =
        world.another().in(World.NS).buckets().topUp("e", "r", Map.of("tph", 100L), "op-1");

    assertThat(again.doneBefore()).isTrue();
    assertThat(tokens("tph", 0)).isEqualTo(after);
  }

  @Test
  void lockLost_isTriedAgain() {
    given(2);
    for (int i = 0; i < 10; i++) {
      world.store.once(
          BucketAdminTest::transaction,
          Fault.before(
              () -> {
                world.clock.advance(Duration.ofMillis(3));
                world.memory.remove(KEY);
                world.create(KEY, 2, TWO, ConfigStamp.CALL);
                world.charge(KEY, "rph", 7);
              }));
    }

    assertThat(buckets.reset("e", "r", "op-1").shards()).isEqualTo(2);

    assertThat(world.store.rulesLeft()).isZero();
    assertThat(tokens("rph", 0)).isEqualTo(30_000);
    assertThat(world.actions("e")).containsExactly("bucket.reset");
  }

  @Test
  void lockLostEveryTime_endsInAnError() {
    given(1);
    world.store.always(
        BucketAdminTest::transaction,
        Fault.before(
            () -> {
              world.clock.advance(Duration.ofMillis(3));
              world.memory.remove(KEY);
              world.create(KEY, 1, TWO, ConfigStamp.CALL);
            }));
    assertThatThrownBy(() -> buckets.reset("e", "r", "op-1"))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("other writers changed the bucket on every attempt");
    assertThat(world.actions("e")).isEmpty();
  }

  @Test
  void noBucket_isDoneWithoutAWrite() {
    assertThat(buckets.reset("e", "r", "op-1").shards()).isZero();
    assertThat(buckets.reset("e", "r", "op-1").doneBefore()).isTrue();
    assertThat(world.actions("e")).containsExactly("bucket.reset");
  }

  @Test
  void manyShards_fitOrAreRefused() {
    given(64);
    assertThat(buckets.reset("e", "r", "op-1").shards()).isEqualTo(64);
    world.open("f", "r", 128);
    RefusalAssertion.because(
        world,
        Reason.TOO_MANY_SHARDS,
        "shards=128, most=98",
        () -> buckets.reset("f", "r", "op-2"));
  }

  @Test
  void sameOperationByManyAtOnce_isDoneOnce() throws Exception {
    given(2);
    world.charge(KEY, "tph", 500);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Callable<OperationResult>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        BucketAdmin own = world.another(world.options().pacer(ms -> {})).in(World.NS).buckets();
        calls.add(() -> own.topUp("e", "r", Map.of("tph", 100L), "op-1"));
      }
      int done = 0;
      for (Future<OperationResult> result : pool.invokeAll(calls)) {
        done += result.get().doneBefore() ? 0 : 1;
      }
      assertThat(done).isEqualTo(1);
    } finally {
      pool.shutdownNow();
    }
    assertThat(tokens("tph", 0) + tokens("tph", 1)).isBetween(600_000L, 601_000L);
    assertThat(world.actions("e")).containsExactly("bucket.topUp");
  }

  @Test
  void operations_areNoUnfinishedJobs() {
    given(1);
    for (int i = 0; i < 250; i++) {
      buckets.reset("e", "r", "op-" + i);
    }
    world.recording.clear();
    assertThat(world.ns.jobs().unfinished(100, null).cursor()).isNull();
    assertThat(world.recording.roundTrips(call -> isJobs(call))).isEqualTo(1);
    assertThatThrownBy(() -> buckets.reset("e", "r", "a b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> buckets.reset("e", "r", ""))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean isJobs(StoreCall call) {
    return call instanceof StoreCall.ListPage page && page.listing() instanceof Listing.Jobs;
  }
}
