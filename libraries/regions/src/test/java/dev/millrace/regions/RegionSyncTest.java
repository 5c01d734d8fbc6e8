package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.core.spi.store.StoreReply;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Regions that share a limit, with real limiters and the ledgers in their tables. */
class RegionSyncTest {
  @Test
  void ask_oneOfThreeRegions_getsAThirdAndThenNearlyAll() {
    try (World world = new World("ap", "eu", "us")) {
      assertThat(world.region("eu").ask(3_000))
          .as("a third of 6,000, rounded down")
          .isEqualTo(1_999);
      long admitted = 0;
      for (int i = 0; i < 6; i++) {
        world.window();
        admitted += world.region("eu").ask(3_000);
      }
      assertThat(world.region("eu").ledger().sharePpm()).isGreaterThan(700_000);
      assertThat(world.region("ap").ledger().sharePpm()).as("a floor").isPositive();
      // A minute has passed: burst and refill of the whole are 12,000.
      assertThat(admitted + 1_999).isLessThanOrEqualTo(12_000).isGreaterThan(6_000);
      assertThat(world.consumedMilli()).isLessThanOrEqualTo(12_000_000L);
    }
  }

  @Test
  void ask_allRegionsAllTheTime_isNeverMoreThanOneBucketWouldAdmit() {
    try (World world = new World("ap", "eu", "us")) {
      long admitted = 0;
      for (int second = 0; second <= 240; second++) {
        String hot = List.of("ap", "eu", "us").get(second / 80 % 3);
        admitted += world.region(hot).ask(400);
        admitted += world.region("us").ask(20);
        long boundMilli =
            World.RPM.burstMilli() + World.RPM.refill().creditMilli(0, second * 1_000L) + 3;
        assertThat(admitted * 1_000).as("second %d", second).isLessThanOrEqualTo(boundMilli);
        if (second % 10 == 9) {
          world.window();
          second += 10; // the window itself
        } else {
          world.clock.advance(Duration.ofSeconds(1));
        }
      }
      assertThat(admitted).isGreaterThan(15_000);
    }
  }

  @Test
  void step_withoutNews_writesNothing() {
    try (World world = new World("eu", "us")) {
      world.region("eu").ask(10);
      world.window();
      world.window();
      int told = world.region("eu").events.told.size();
      world.window();
      assertThat(world.region("eu").events.told).hasSize(told);
    }
  }

  /** Between the write and the snapshot the process dies: nobody hears of it before the next. */
  @Test
  void step_diesBeforeItPublishes_isOnlyADelay() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 1);
      world.region("eu").ask(3_000);
      world.window("eu");
      world.region("us").hear(world.region("eu"));
      world.region("us").step();
      world.requireWhole();
      world.heat("eu", 3);
      assertThat(world.region("eu").ledger().sharePpm()).isGreaterThan(700_000);
    }
  }

  @Test
  void step_answerLostAfterTheWrite_isMadeOnce() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 1);
      world.region("eu").ask(3_000);
      world.window("eu");
      world.region("us").store.once(Calls.transactions(), Fault.loseReply());
      world.window("us");
      world.heat("eu", 2);
      assertThat(world.region("us").store.rulesLeft()).isZero();
      assertThat(world.region("eu").ledger().sharePpm()).isGreaterThan(700_000);
    }
  }

  @Test
  void step_tableAway_failsThePairAndKeepsTheRest() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 1);
      world.region("eu").ask(3_000);
      world.window("eu");
      world.region("us").store.always(Calls.transactions(), Fault.unreachable());
      world.window("us");
      assertThat(world.region("us").events.told)
          .anyMatch(event -> event.startsWith("failed acme: the table does not answer"));
      world.region("us").store.heal();
      world.heat("eu", 2);
      assertThat(world.region("us").ledger().sharePpm()).isLessThan(300_000);
    }
  }

  /** One that has looked up the old share must not spend it any more. */
  @Test
  void ask_donorWithAnOldCopyOfItsLimits_isHeldToTheNewShare() {
    try (World world = new World("eu", "us")) {
      assertThat(world.region("us").ask(1)).isEqualTo(1); // has looked it up
      world.heat("eu", 4);
      int share = world.region("us").ledger().sharePpm();
      assertThat(share).isLessThan(300_000);
      assertThat(world.region("us").ask(3_000))
          .isLessThanOrEqualTo((int) (6_000L * share / 1_000_000));
      world.requireWhole();
    }
  }

  @Test
  void step_bucketNeverUsedHere_isMadeWithTheNewShare() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 4);
      assertThat(world.region("us").shards()).hasSize(1);
      int share = world.region("us").ledger().sharePpm();
      assertThat(world.region("us").ask(3_000)).isEqualTo((int) (6_000L * share / 1_000_000));
    }
  }

  /** Whoever gave the share had spent the tokens that belonged to it. */
  @Test
  void step_shareComesToABucketThatIsNotThere_bringsOnlyTheTokensThatCameAlong() {
    try (World world = new World("eu", "us")) {
      World.Region ap = world.open("ap");
      for (World.Region region : world.regions.values()) {
        region.sharing.add("ap");
      }
      world.region("eu").ask(3_000);
      world.region("us").ask(3_000);
      world.window();
      world.window();
      LimitLedger ledger = ap.ledger();
      long cameMilli =
          ledger.dealings().got().values().stream().mapToLong(row -> row.milli()).sum();
      assertThat(ledger.sharePpm()).isPositive();
      assertThat(ap.shards()).hasSize(1);
      assertThat(World.rpm(ap.shards().get(0)).tokensMilli())
          .isLessThanOrEqualTo(cameMilli)
          .isLessThan(ap.ceilingMilli());
    }
  }

  @Test
  void step_bucketLacksTheLimit_beginsFullOfWhatTheRegionHeldBefore() {
    try (World world = new World("eu", "us")) {
      World.Region us = world.region("us");
      BucketState bare =
          new BucketState(World.BUCKET, world.clock.nowMs(), List.of(), BucketState.NEVER, "x");
      us.memory.execute(new StoreCall.Write(new WritePlan.Create(bare)), 1);
      us.step();
      assertThat(us.balanceMilli()).isEqualTo(3_000_000);
      assertThat(us.ledger().sharePpm()).isEqualTo(500_000);
    }
  }

  @Test
  void step_dividedBucket_takesFromAllShardsAndLosesNothing() {
    try (World world = new World("eu", "us")) {
      World.Region us = world.region("us");
      us.ask(10);
      WritePlan resize = new WritePlan.Resize(World.BUCKET, 1, 4, 0, "resize");
      assertThat(us.memory.execute(new StoreCall.Write(resize), 1))
          .isInstanceOf(StoreReply.Applied.class);
      for (int i = 0; us.shards().size() < 4 && i < 200; i++) {
        world.clock.advance(Duration.ofMillis(60));
        us.ask(1);
      }
      assertThat(us.shards()).hasSize(4);
      world.heat("eu", 1);
      world.region("eu").ask(3_000);
      world.window("eu");
      long before = us.balanceMilli();
      world.clock.advance(Duration.ofSeconds(10));
      long earned = us.balanceMilli() - before;
      us.hear(world.region("eu"));
      RegionSync.Outcome outcome = us.step();
      long gave = us.ledger().dealings().gave("eu").milli();
      assertThat(gave).isPositive();
      assertThat(us.balanceMilli())
          .as("earned %d, gave %d", earned, gave)
          .isLessThanOrEqualTo(before + earned - gave)
          .isGreaterThanOrEqualTo(before + earned - gave - 10);
      us.publish(outcome);
      world.requireWhole();
    }
  }

  @Test
  void step_operatorsLimits_areLeftAloneUntilTheyAreDeleted() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 4);
      int share = world.region("us").ledger().sharePpm();
      LimitTarget pair = LimitTarget.entityResource(World.ENTITY, World.RESOURCE);
      Limit byHand = Limit.perMinute("rpm", 77);
      world.region("us").admin.in("default").limits().set(pair, LimitSet.of(byHand));

      world.region("eu").ask(3_000);
      world.clock.advance(Duration.ofSeconds(10));
      world.region("us").hear(world.region("eu"));
      world.region("us").publish(world.region("us").step());

      assertThat(world.region("us").events.told).contains("operators acme");
      assertThat(World.rpm(world.region("us").shards().get(0)).limit()).isEqualTo(byHand);
      assertThat(world.region("us").ledger().sharePpm()).isEqualTo(share);

      world.region("us").admin.in("default").limits().delete(pair);
      assertThat(World.rpm(world.region("us").shards().get(0)).limit().capacityMilli())
          .as("what the regions agreed on is back at once")
          .isEqualTo(6_000_000L * share / 1_000_000);
      world.window();
    }
  }

  @Test
  void add_region_beginsWithNothingAndIsGivenWhatItNeeds() {
    try (World world = new World("eu", "us")) {
      World.Region ap = world.open("ap");
      for (World.Region region : world.regions.values()) {
        region.sharing.add("ap");
        region.sharing.add("ap");
      }
      assertThat(ap.ask(100)).isZero();
      world.region("eu").ask(10);
      world.window();
      world.window();
      world.window();
      assertThat(ap.ledger().sharePpm()).isPositive();
      assertThat(ap.ask(100)).isPositive();
    }
  }

  @Test
  void drain_region_givesAllAway() {
    try (World world = new World("ap", "eu", "us")) {
      world.region("eu").ask(100);
      for (World.Region region : world.regions.values()) {
        region.sharing.drain("us");
      }
      world.window();
      world.window();
      world.window();
      assertThat(world.region("us").ledger().sharePpm()).isZero();
      assertThat(world.region("us").ask(100)).isZero();
    }
  }

  @Test
  void evict_deadRegion_leavesItsShareToTheOthersOnce() {
    try (World world = new World("ap", "eu", "us")) {
      world.heat("eu", 4);
      World.Region dead = world.region("ap");
      world.regions.remove("ap");
      dead.close();
      for (World.Region region : world.regions.values()) {
        region.hear(dead);
        region.sharing.evict("ap", List.of(), List.of());
        region.sharing.evict("ap", List.of(), List.of());
      }
      for (int i = 0; i < 4; i++) {
        world.clock.advance(Duration.ofSeconds(10));
        World.Region eu = world.region("eu");
        World.Region us = world.region("us");
        eu.hear(us);
        eu.publish(eu.step());
        us.hear(eu);
        us.publish(us.step());
      }
      world.requireWhole();
      assertThat(world.region("eu").ledger().evicted()).containsExactly("ap");
    }
  }

  @Test
  void share_declaredAnew_isEnforcedWithinAWindow() {
    try (World world = new World("eu", "us")) {
      world.heat("eu", 4);
      Limit half = Limit.perMinute("rpm", 3_000);
      for (World.Region region : world.regions.values()) {
        region.sharing.share(
            LimitTarget.resource(World.RESOURCE),
            LimitSet.of(half),
            List.of(),
            ProgressListener.NONE);
      }
      world.window();
      for (World.Region region : world.regions.values()) {
        assertThat(region.ceilingMilli())
            .isLessThanOrEqualTo(3_000L * region.ledger().sharePpm() / 1_000);
      }
    }
  }

  @Test
  void found_anotherRegionOrOtherFounders_isRefused() {
    try (World world = new World("eu", "us")) {
      RegionOperations sharing = world.region("eu").sharing;
      assertThatThrownBy(() -> sharing.found("us", List.of("eu", "us")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("already 'eu'");
      assertThatThrownBy(() -> sharing.found("eu", List.of("eu", "us", "ap")))
          .isInstanceOf(IllegalArgumentException.class);
      sharing.found("eu", List.of("us", "eu"));
      assertThat(sharing.site().orElseThrow().others()).containsExactly("us");
    }
  }
}
