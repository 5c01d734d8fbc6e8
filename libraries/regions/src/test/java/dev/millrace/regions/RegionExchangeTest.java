package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.regions.internal.snapshot.EncodedSnapshot;
import dev.millrace.regions.internal.snapshot.SnapshotRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Windows over a place that can be away and hold anything. */
class RegionExchangeTest {
  private final Shelf shelf = new Shelf();
  private final List<String> told = new ArrayList<>();
  private final SyncListener listener =
      new SyncListener() {
        @Override
        public void onRefusedSnapshot(String region, String reason, String message) {
          told.add(region + " " + reason);
        }

        @Override
        public void onPeerFailed(String region, String message) {
          told.add(region + " " + message);
        }

        @Override
        public void onPublishFailed(String message) {
          told.add("publish " + message);
        }
      };

  private RegionExchange exchange(World.Region region) {
    return new RegionExchange(region.sync(), shelf, World.POLICY, listener);
  }

  private void windows(World world, Map<String, RegionExchange> exchanges, String hot, int count) {
    for (int i = 0; i < count; i++) {
      world.region(hot).ask(3_000);
      world.clock.advance(Duration.ofSeconds(10));
      exchanges.values().forEach(RegionExchange::cycle);
      world.requireWhole();
    }
  }

  private Map<String, RegionExchange> all(World world) {
    Map<String, RegionExchange> exchanges = new HashMap<>();
    world.regions.forEach((name, region) -> exchanges.put(name, exchange(region)));
    return exchanges;
  }

  @Test
  void cycle_threeRegions_isOnePutAndTwoGetsEach() {
    try (World world = new World("ap", "eu", "us")) {
      Map<String, RegionExchange> exchanges = all(world);
      windows(world, exchanges, "eu", 1);
      assertThat(shelf.puts).isEqualTo(3);
      assertThat(shelf.gets).isEqualTo(6);
      windows(world, exchanges, "eu", 5);
      assertThat(world.region("eu").ledger().sharePpm()).isGreaterThan(600_000);
      assertThat(told).isEmpty();
      CycleReport report = exchange(world.region("eu")).cycle();
      assertThat(report.work().limits()).isEqualTo(1);
      assertThat(report.exchanged().heard()).isEqualTo(2);
      assertThat(report.exchanged().publishedBytes()).isPositive();
      assertThat(report.exchanged().agesMs().keySet()).containsExactly("ap", "us");
    }
  }

  @Test
  void cycle_placeAway_goesOnWithWhatItHasAndCatchesUp() {
    try (World world = new World("eu", "us")) {
      Map<String, RegionExchange> exchanges = all(world);
      windows(world, exchanges, "eu", 2);
      shelf.away = true;
      int held = world.region("eu").ledger().sharePpm();
      windows(world, exchanges, "eu", 3);
      assertThat(world.region("eu").ask(1)).as("it serves").isBetween(0, 1);
      assertThat(told).contains("us away", "publish away");
      assertThat(world.region("eu").ledger().sharePpm()).isGreaterThanOrEqualTo(held);
      shelf.away = false;
      windows(world, exchanges, "eu", 4);
      assertThat(world.region("eu").ledger().sharePpm()).isGreaterThan(600_000);
    }
  }

  @Test
  void cycle_objectOfAnotherRegionOrBroken_isRefusedAndChangesNothing() {
    try (World world = new World("eu", "us")) {
      Map<String, RegionExchange> exchanges = all(world);
      windows(world, exchanges, "eu", 2);
      int before = world.region("eu").ledger().sharePpm();
      EncodedSnapshot good = Objects.requireNonNull(shelf.objects.get("us"));
      shelf.objects.put("us", Objects.requireNonNull(shelf.objects.get("eu")));
      Objects.requireNonNull(exchanges.get("eu")).cycle();
      shelf.objects.put("us", new EncodedSnapshot(new byte[] {1, 2, 3}, good.sha256()));
      Objects.requireNonNull(exchanges.get("eu")).cycle();
      assertThat(told)
          .containsExactly("us " + SnapshotRefusal.WRONG_REGION, "us " + SnapshotRefusal.MALFORMED);
      assertThat(world.region("eu").ledger().sharePpm()).isEqualTo(before);
    }
  }

  @Test
  void cycle_workerStartedAnew_forgetsNothingThatCounts() {
    try (World world = new World("eu", "us")) {
      Map<String, RegionExchange> exchanges = all(world);
      windows(world, exchanges, "eu", 3);
      for (int i = 0; i < 4; i++) {
        windows(world, all(world), i % 2 == 0 ? "eu" : "us", 1);
      }
      assertThat(told).isEmpty();
    }
  }

  /** A worker with windows of ten seconds gives way to a function with windows of a minute. */
  @Test
  void cycle_windowsBecomeLonger_snapshotsAreStillLaterThanThoseBefore() {
    try (World world = new World("eu", "us")) {
      windows(world, all(world), "eu", 2);
      AllocationPolicy minute =
          new AllocationPolicy(
              60_000,
              World.POLICY.staleAfterMs(),
              World.POLICY.floorPpm(),
              World.POLICY.offPpm(),
              World.POLICY.leastGiftPpm());
      RegionExchange eu = exchange(world.region("eu"));
      eu.cycle();
      world.clock.advance(Duration.ofSeconds(60));
      new RegionExchange(world.region("us").newSync(), shelf, minute, listener).cycle();
      CycleReport report = eu.cycle();
      assertThat(report.exchanged().agesMs()).containsEntry("us", 0L);
    }
  }

  /** One that has sealed and died since: its last snapshot is what the slow one waits for. */
  @Test
  void cycle_startedAnewAfterTwoEvictions_stillHearsTheSealOfTheDead() {
    try (World world = new World("ap", "eu", "sa", "us")) {
      Map<String, RegionExchange> exchanges = all(world);
      windows(world, exchanges, "eu", 3);
      for (String name : List.of("eu", "sa", "us")) {
        world.region(name).sharing.evict("ap", List.of(), List.of());
      }
      for (int i = 0; i < 2; i++) { // us is away
        world.clock.advance(Duration.ofSeconds(10));
        Objects.requireNonNull(exchanges.get("eu")).cycle();
        Objects.requireNonNull(exchanges.get("sa")).cycle();
      }
      List<EvictionSeal> sealed = world.region("sa").ledger().seals();
      for (String name : List.of("eu", "us")) {
        world.region(name).sharing.evict("sa", sealed, List.of());
      }
      Map<String, RegionExchange> anew = all(world);
      for (int i = 0; i < 6; i++) {
        world.clock.advance(Duration.ofSeconds(10));
        Objects.requireNonNull(anew.get("us")).cycle();
        Objects.requireNonNull(anew.get("eu")).cycle();
      }
      for (String name : List.of("eu", "us")) {
        assertThat(world.region(name).ledger().evicted()).containsExactly("ap", "sa");
      }
      assertThat(world.region("eu").ledger().sharePpm() + world.region("us").ledger().sharePpm())
          .isEqualTo(1_000_000);
    }
  }

  @Test
  void evict_inARegionThatJoinedAfterwards_isTakenAsTheOthersHaveIt() {
    try (World world = new World("ap", "eu", "us")) {
      Map<String, RegionExchange> exchanges = all(world);
      windows(world, exchanges, "eu", 2);
      for (String name : List.of("eu", "us")) {
        world.region(name).sharing.evict("ap", List.of(), List.of());
      }
      Objects.requireNonNull(world.regions.remove("ap")).close();
      exchanges.remove("ap");
      for (int i = 0; i < 3; i++) {
        world.clock.advance(Duration.ofSeconds(10));
        exchanges.values().forEach(RegionExchange::cycle);
      }
      World.Region later = world.open("later");
      List<EvictionSeal> told = world.region("eu").ledger().seals();
      later.sharing.evict("ap", List.of(), told);
      later.sharing.evict("ap", List.of(), told);
      assertThat(later.sharing.site().orElseThrow().declaration().evictions()).isEqualTo(told);
      for (String name : List.of("eu", "us")) {
        world.region(name).sharing.add("later");
      }
      exchanges.put("later", exchange(later));
      windows(world, exchanges, "later", 4);
      assertThat(later.ledger().pending()).isNull();
      assertThat(later.ledger().sharePpm()).isPositive();
    }
  }
}
