package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.LimitSet;
import dev.millrace.admin.LimitTarget;
import dev.millrace.admin.ProgressListener;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A region that was evicted while it still serves: it learns of it and stops. */
class EvictionRecordsTest {
  private final Shelf shelf = new Shelf();

  private RegionExchange exchange(World.Region region) {
    return new RegionExchange(region.newSync(), shelf, World.POLICY, region.events);
  }

  /** Three regions that have exchanged; then eu and us evict ap, which still serves. */
  private void evictAp(World world) {
    shelf.objects.clear();
    Map<String, RegionExchange> exchanges = new TreeMap<>();
    world.regions.forEach((name, region) -> exchanges.put(name, exchange(region)));
    for (int i = 0; i < 3; i++) {
      world.region("ap").ask(500);
      world.region("eu").ask(500);
      world.clock.advance(Duration.ofSeconds(10));
      exchanges.values().forEach(RegionExchange::cycle);
      world.requireWhole();
    }
    for (String name : List.of("eu", "us")) {
      world.region(name).sharing.evict("ap", List.of(), List.of());
    }
    for (int i = 0; i < 2; i++) {
      world.clock.advance(Duration.ofSeconds(10));
      Objects.requireNonNull(exchanges.get("eu")).cycle();
      Objects.requireNonNull(exchanges.get("us")).cycle();
    }
  }

  @Test
  void cycle_sealedOff_refusesAllThatItShared() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      LimitLedger before = ap.ledger();
      assertThat(ap.ask(1)).as("it does not know yet").isEqualTo(1);

      CycleReport report = exchange(ap).cycle();

      assertThat(report.evicted()).isTrue();
      assertThat(ap.events.told).contains("evicted by eu", "withdrawn acme");
      assertThat(ap.ask(100)).isZero();
      world.clock.advance(Duration.ofHours(1));
      assertThat(ap.ask(100)).as("also after it has had time to refill").isZero();
      assertThat(ap.ledger()).as("kept for whoever asks what happened").isEqualTo(before);
    }
  }

  /** Were the error to go further, the region would go on with what the others have shared out. */
  @Test
  void cycle_sealedOffAndTheListenerThrowsAnError_refusesAllThatItShared() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      SyncListener broken =
          new SyncListener() {
            @Override
            public void onEvicted(String by) {
              throw new NoClassDefFoundError("a metrics library is not complete");
            }
          };

      assertThat(new RegionExchange(ap.newSync(), shelf, World.POLICY, broken).cycle().evicted())
          .isTrue();
      assertThat(ap.ask(100)).isZero();
    }
  }

  @Test
  void cycle_sealedOffAndRepeated_writesAndTellsNothingMore() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      RegionExchange exchange = exchange(ap);
      exchange.cycle();
      ap.events.told.clear();
      ap.store.always(
          Calls.transactions().or(Calls.writes()),
          Fault.raise(new IllegalStateException("a write")));
      int puts = shelf.puts;

      assertThat(exchange.cycle().evicted()).isTrue();

      assertThat(ap.events.told).containsExactly("evicted by ");
      assertThat(shelf.puts).as("it has nothing to say any more").isEqualTo(puts);
      ap.store.heal();
    }
  }

  /** The others cannot be asked: what it once learnt must be in its own table. */
  @Test
  void cycle_startedAnewWhileThePlaceIsAway_staysOut() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      exchange(ap).cycle();
      shelf.away = true;
      assertThat(exchange(ap).cycle().evicted()).isTrue();
      assertThat(ap.ask(100)).isZero();
    }
  }

  @Test
  void cycle_entityThatIsNewAfterwards_beginsWithNothing() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      exchange(ap).cycle();
      assertThat(ap.askOf("newcomer", 10)).isZero();
    }
  }

  @Test
  void cycle_diesAfterAnyWrite_goesOnInTheNext() {
    for (int survived = 0; ; survived++) {
      try (World world = new World("ap", "eu", "us")) {
        evictAp(world);
        World.Region ap = world.region("ap");
        ap.askOf("other", 1);
        int left = survived;
        for (int i = 0; i < left; i++) {
          ap.store.once(Calls.transactions(), Fault.none());
        }
        RuntimeException crash = new IllegalStateException("crash");
        ap.store.always(Calls.transactions(), Fault.raise(crash));
        boolean died = false;
        try {
          exchange(ap).cycle();
        } catch (IllegalStateException e) {
          died = true;
        }
        ap.store.heal();
        exchange(ap).cycle();
        assertThat(ap.ask(100) + ap.askOf("other", 100)).as("after %d writes", survived).isZero();
        if (!died) {
          assertThat(survived).as("mark, resource, two pairs").isEqualTo(4);
          return;
        }
      }
    }
  }

  @Test
  void cycle_operatorsLimits_stay() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      LimitTarget pair = LimitTarget.entityResource(World.ENTITY, World.RESOURCE);
      Limit byHand = Limit.perMinute("rpm", 77);
      ap.admin.in("default").limits().set(pair, LimitSet.of(byHand));
      RegionExchange exchange = exchange(ap);

      exchange.cycle();

      assertThat(ap.events.told).contains("operators acme");
      assertThat(World.rpm(ap.shards().get(0)).limit()).isEqualTo(byHand);
      ap.admin.in("default").limits().delete(pair);
      exchange.cycle();
      assertThat(ap.ask(100)).isZero();
    }
  }

  @Test
  void share_evictedRegion_isRefused() {
    try (World world = new World("ap", "eu", "us")) {
      evictAp(world);
      World.Region ap = world.region("ap");
      exchange(ap).cycle();
      assertThatThrownBy(
              () ->
                  ap.sharing.share(
                      LimitTarget.resource("gpt-5"),
                      LimitSet.of(World.RPM),
                      List.of(),
                      ProgressListener.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is evicted");
    }
  }
}
