package dev.millrace.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.LimiterUnavailableException;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.config.EffectiveLimits;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.internal.generator.Gen;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A change reaches every shard, also while shards are split and merged. */
class DividedFanOutTest {
  private static final LimitSet RPM_5 = LimitSet.of(Limit.perMinute("rpm", 5));
  private static final BucketKey KEY = BucketKey.first(World.NS, "e", "r");

  private final World world = new World();

  static List<LimitTarget> targets() {
    return List.of(
        LimitTarget.entityResource("e", "r"),
        LimitTarget.entity("e"),
        LimitTarget.resource("r"),
        LimitTarget.system());
  }

  private static JobView buckets(ChangeResult result) {
    return Objects.requireNonNull(result.buckets());
  }

  private void given(int shards) {
    given(world, shards);
  }

  private static void given(World world, int shards) {
    world.ns.limits().set(LimitTarget.system(), World.RPM_100);
    world.open("e", "r", shards);
  }

  private void assertAllFollow(int shards) {
    assertThat(world.shards("e", "r")).hasSize(shards);
    assertAllFollow(world);
  }

  private static void assertAllFollow(World world) {
    EffectiveLimits terms = Objects.requireNonNull(world.terms("e", "r"));
    for (BucketState shard : world.shards("e", "r")) {
      assertThat(World.limitsOf(shard)).as("%s", shard).isEqualTo(terms.limits());
      assertThat(shard.stamp()).as("%s", shard).isEqualTo(terms.stamp());
    }
    assertThat(world.ceilingMilli("e", "r", "rpm")).isEqualTo(terms.limits().get(0).burstMilli());
  }

  /** Shards 0, 2 and 6 of eight, 1 and 3 of four, 4 of sixteen, 12 of sixteen. */
  private void mixedLevels() {
    given(4);
    world.split(KEY);
    world.split(KEY.withShard(2));
    world.split(KEY.withShard(4));
    assertThat(world.shards("e", "r"))
        .extracting(shard -> shard.key().shard(), shard -> shard.division().level())
        .extracting(Object::toString)
        .containsExactly("(0, 8)", "(1, 4)", "(2, 8)", "(3, 4)", "(4, 16)", "(6, 8)", "(12, 16)");
  }

  @ParameterizedTest
  @MethodSource("targets")
  void set_eightShards_eachGetsItsShareOfTheLimit(LimitTarget target) {
    given(8);

    JobView result = buckets(world.ns.limits().set(target, RPM_5));

    assertThat(result.changed()).isEqualTo(8);
    assertAllFollow(8);
    assertThat(world.shards("e", "r"))
        .allMatch(shard -> shard.limits().get(0).tokensMilli() == 5_000 / 8);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void set_mixedLevels_everyShardFollowsAndNothingIsMinted(LimitTarget target) {
    mixedLevels();

    assertThat(buckets(world.ns.limits().set(target, RPM_5)).changed()).isEqualTo(7);

    assertAllFollow(7);
    assertThat(world.tokensMilli("e", "r", "rpm")).isEqualTo(5_000);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void set_splitBeforeTheWrite_findsTheNewShard(LimitTarget target) {
    given(1);
    world.store.once(Calls.writes(), Fault.before(() -> world.split(KEY)));

    assertThat(buckets(world.ns.limits().set(target, RPM_5)).changed()).isEqualTo(2);

    assertThat(world.store.rulesLeft()).isZero();
    assertAllFollow(2);
    assertThat(world.tokensMilli("e", "r", "rpm")).isEqualTo(5_000);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void set_newShardsSplitToo_findsAllOfThem(LimitTarget target) {
    mixedLevels();
    int[] splits = {0};
    world.store.always(
        Calls.writes(),
        (call, proceed) -> {
          BucketKey key = ((StoreCall.Write) call).key();
          if (splits[0]++ % 3 == 0) {
            world.split(key);
          }
          return proceed.get();
        });

    buckets(world.ns.limits().set(target, RPM_5));

    assertThat(world.shards("e", "r")).hasSizeGreaterThan(9);
    assertAllFollow(world);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void set_splitsAndMergesBetweenPages_missesNone(LimitTarget target) {
    given(8);
    LimitAdmin small = world.another(world.options().pageSize(1)).in(World.NS).limits();
    int[] pages = {0};
    ProgressListener reshape =
        report -> {
          int page = pages[0]++;
          if (page < 4) {
            world.split(KEY.withShard(page));
          } else if (page < 6) {
            world.merge(KEY.withShard(page - 4));
          }
        };

    small.set(target, RPM_5, SetOptions.DEFAULT.reportingTo(reshape));

    assertAllFollow(world);
  }

  @Test
  void set_shardThatOneReadDoesNotSee_isReadAgain() {
    given(1);
    // Its parent was looked at after the split, and its own place before it.
    world.store.once(
        Calls.writes(),
        Fault.before(
            () -> {
              world.split(KEY);
              world.store.once(
                  HiddenShards.readsOf(KEY.withShard(1)), HiddenShards.bucket(KEY.withShard(1)));
            }));

    world.ns.limits().set(LimitTarget.entityResource("e", "r"), RPM_5);

    assertThat(world.store.rulesLeft()).isZero();
    assertAllFollow(2);
  }

  @Test
  void set_shardsThatTheIndexDoesNotShow_followByTheirFirst() {
    given(4);
    world.store.always(Calls.listings(), HiddenShards.inTheIndex(key -> key.shard() != 0));

    assertThat(buckets(world.ns.limits().set(LimitTarget.resource("r"), RPM_5)).changed())
        .isEqualTo(4);

    world.store.heal();
    assertAllFollow(4);
  }

  /** Killed when only the first shard followed: whoever resumes finds nothing to do on the page. */
  @Test
  void set_killedAfterTheFirstShard_theOthersFollowWhenItIsResumed() {
    given(4);
    world.store.always(Calls.listings(), HiddenShards.inTheIndex(key -> key.shard() != 0));
    world.store.once(Calls.writes(), Fault.none());
    world.store.once(Calls.writes(), Fault.raise(new IllegalStateException("killed")));
    assertThatThrownBy(() -> world.ns.limits().set(LimitTarget.resource("r"), RPM_5))
        .hasMessage("killed");

    assertThat(world.another().in(World.NS).jobs().resumeAll(ProgressListener.NONE)).hasSize(1);

    world.store.heal();
    assertAllFollow(4);
  }

  @Test
  void set_firstShardNotOnThePage_theOthersAreNotLost() {
    given(4);
    world.store.always(Calls.listings(), HiddenShards.inTheIndex(key -> key.shard() != 3));

    world.ns.limits().set(LimitTarget.resource("r"), RPM_5);

    world.store.heal();
    assertAllFollow(4);
  }

  @Test
  void set_firstShardGone_theOthersFollowAllTheSame() {
    given(4);
    world.memory.remove(KEY);

    assertThat(buckets(world.ns.limits().set(LimitTarget.resource("r"), RPM_5)).changed())
        .isEqualTo(3);
  }

  @Test
  void set_shardGoneForGood_theOthersFollow() {
    given(4);
    world.memory.remove(KEY.withShard(2));

    assertThat(
            buckets(world.ns.limits().set(LimitTarget.entityResource("e", "r"), RPM_5)).changed())
        .isEqualTo(3);
  }

  @Test
  void set_undividedBuckets_costNoSecondLook() {
    given(1);
    world.recording.clear();

    world.ns.limits().set(LimitTarget.entityResource("e", "r"), RPM_5);

    assertThat(world.recording.roundTrips(Calls.reads())).isEqualTo(1);
    assertThat(world.recording.roundTrips(Calls.writes())).isEqualTo(1);
  }

  @Test
  void set_dividedBucketOnOnePage_isReadOnceAndLookedAtOnceMore() {
    given(8);
    world.recording.clear();

    world.ns.limits().set(LimitTarget.resource("r"), RPM_5);

    assertThat(world.recording.roundTrips(Calls.reads())).isEqualTo(2);
    assertThat(world.recording.roundTrips(Calls.writes())).isEqualTo(8);
  }

  @Test
  void set_alwaysAnotherShard_failsAndCanBeResumed() {
    given(1);
    int[] writes = {0};
    world.store.always(
        Calls.writes(),
        (call, proceed) -> {
          if (writes[0]++ % 2 == 0) { // the first write of each shard, not its repetition
            world.split(((StoreCall.Write) call).key());
          }
          return proceed.get();
        });

    assertThatThrownBy(() -> world.ns.limits().set(LimitTarget.resource("r"), RPM_5))
        .isInstanceOf(LimiterUnavailableException.class)
        .hasMessageContaining("the work that follows it was interrupted")
        .hasMessageContaining("rounds=8")
        .hasMessageContaining("todo=resume the job");

    world.store.heal();
    assertThat(world.ns.jobs().resumeAll(ProgressListener.NONE))
        .hasSize(1)
        .allMatch(JobView::isDone);
    assertAllFollow(world);
  }

  @Test
  void switchesAndMoves_mixedLevels_reachEveryShard() {
    world.ns.entities().create(NewEntity.of("e"));
    world.ns.entities().create(NewEntity.of("p"));
    mixedLevels();

    assertThat(buckets(world.ns.limits().setDisabled("r", true)).changed()).isEqualTo(7);
    assertThat(world.shards("e", "r")).allMatch(shard -> shard.stamp().disabled());
    world.ns.limits().setDisabled("r", false);
    assertAllFollow(7);
    assertThat(buckets(world.ns.entities().move("e", "p")).changed()).isEqualTo(7);
    assertAllFollow(7);
  }

  /** Splits and merges before any call of the store. */
  @Test
  void set_reshapedAtAnyTime_everyShardFollows() {
    Seeds.forEach(
        150,
        (random, seed) -> {
          World any = new World();
          given(any, 1 << random.nextInt(4));
          int[] left = {random.nextInt(12)};
          any.store.always(
              call -> left[0] > 0 && Gen.oneIn(random, 2),
              Fault.before(
                  () -> {
                    left[0]--;
                    reshape(any, random);
                  }));
          int pageSize = Gen.oneOf(random, List.of(1, 3, 100));

          any.another(any.options().pageSize(pageSize))
              .in(World.NS)
              .limits()
              .set(Gen.oneOf(random, targets()), RPM_5);

          assertAllFollow(any);
          assertThat(any.tokensMilli("e", "r", "rpm")).isLessThanOrEqualTo(5_000);
        });
  }

  private static void reshape(World world, RandomGenerator random) {
    BucketState shard = Gen.oneOf(random, world.shards("e", "r"));
    boolean merged = Gen.oneIn(random, 2) && world.merge(shard.key());
    if (!merged && shard.division().level() < 32) {
      world.split(shard.key());
    }
  }
}
