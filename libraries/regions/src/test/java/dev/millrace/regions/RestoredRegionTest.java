package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.core.spi.directory.RecordKey;
import dev.millrace.core.spi.directory.StoredRecord;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.PeerView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A region whose table is brought back from a backup holds what it has given away since. */
class RestoredRegionTest {
  @SuppressWarnings("NullAway.Init") // set when the first gifts are made
  private StoredRecord backup;

  private static final RecordKey PAIR =
      RecordKey.Config.ofEntityResource("default", World.ENTITY, World.RESOURCE);

  @Test
  void restored_untilAnOperatorHasSpoken_neitherGivesNorTakes() {
    try (World world = new World("ap", "eu", "us")) {
      LimitLedger restored = restore(world);
      World.Region eu = world.region("eu");

      for (int i = 0; i < 5; i++) {
        world.region("us").ask(3_000);
        world.region("ap").ask(3_000);
        step(world, "eu");
        step(world, "us");
        step(world, "ap");
        assertThat(eu.ledger()).as("neither given nor taken").isEqualTo(restored);
      }
      assertThat(eu.events.told).anyMatch(told -> told.startsWith("refused FORGOTTEN"));
    }
  }

  /** Another process of the region, which has heard nothing yet, finds the same. */
  @Test
  void restored_processStartsAgain_neitherGivesNorTakes() {
    try (World world = new World("ap", "eu", "us")) {
      LimitLedger restored = restore(world);
      World.Region eu = world.region("eu");
      world.region("us").ask(3_000);
      world.clock.advance(Duration.ofMillis(World.POLICY.windowMs()));
      eu.hear(world.region("us"));
      eu.hear(world.region("ap"));

      var unused = eu.newSync().step(Objects.requireNonNull(eu.sync().site()), eu.peers);

      assertThat(eu.ledger()).isEqualTo(restored);
    }
  }

  @Test
  void reconciled_othersAreRight_theWholeIsRightAgain() {
    try (World world = new World("ap", "eu", "us")) {
      int before = shareAfterHeat(world);
      LimitLedger restored = restored(world);
      World.Region eu = world.region("eu");
      assertThat(restored.sharePpm()).isGreaterThan(before);

      eu.hear(world.region("us"));
      eu.hear(world.region("ap"));
      RegionSync.Outcome outcome =
          eu.sync().reconcile(Objects.requireNonNull(eu.sync().site()), eu.peers);

      assertThat(outcome.work().failedPairs()).isZero();
      assertThat(eu.ledger().sharePpm()).isLessThan(restored.sharePpm());
      world.requireWhole();
      eu.publish(outcome);
      world.heat("us", 30); // the bucket owes what went along with the gifts, and earns it first
      assertThat(eu.ledger().sharePpm()).as("it gives again").isEqualTo(before);
      world.heat("eu", 6);
      assertThat(eu.ledger().sharePpm()).as("and takes").isGreaterThan(before);
    }
  }

  @Test
  void reconciled_aRegionIsNotHeardOf_changesNothing() {
    try (World world = new World("ap", "eu", "us")) {
      LimitLedger restored = restore(world);
      World.Region eu = world.region("eu");
      PeerView one = new PeerView();

      RegionSync.Outcome outcome =
          eu.sync().reconcile(Objects.requireNonNull(eu.sync().site()), one);

      assertThat(outcome.work().failedPairs()).isEqualTo(1);
      assertThat(eu.ledger()).isEqualTo(restored);
    }
  }

  private LimitLedger restore(World world) {
    shareAfterHeat(world);
    return restored(world);
  }

  /** Lets eu give to us, with a backup taken in between; what is on its way has arrived. */
  private int shareAfterHeat(World world) {
    world.heat("us", 6);
    world.heat("eu", 6);
    backup = Objects.requireNonNull(world.region("eu").memory.record(PAIR));
    world.heat("us", 8);
    world.window();
    world.window();
    return world.region("eu").ledger().sharePpm();
  }

  private LimitLedger restored(World world) {
    world.region("eu").memory.put(backup);
    return world.region("eu").ledger();
  }

  private static void step(World world, String name) {
    world.clock.advance(Duration.ofMillis(World.POLICY.windowMs()));
    World.Region region = world.region(name);
    for (String other : List.of("ap", "eu", "us")) {
      if (!other.equals(name) && !other.equals("eu")) {
        region.hear(world.region(other));
      }
    }
    RegionSync.Outcome outcome = region.step();
    if (!name.equals("eu")) {
      region.publish(outcome);
    }
  }
}
