package dev.millrace.regions.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.internal.ledger.GlobalLimit;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.LimitStep;
import dev.millrace.regions.internal.ledger.Ppm;
import dev.millrace.regions.internal.ledger.RegionDeclaration;
import dev.millrace.testkit.internal.generator.Seeds;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The promise of a global quota, under every fault, with clocks up to two hours apart: at every
 * event what is enforced and what is on its way is the whole, and no window has more than one
 * bucket would have allowed.
 */
class RegionsSimulationTest {
  private static final int SEEDS = 140;
  private static final int EVENTS = 600;

  @Test
  void run_everyFault_neverMoreThanTheWhole() {
    int[] seen = new int[3];
    Seeds.forEach(
        SEEDS,
        (random, seed) -> {
          World world = new World(random, 2 + (int) (seed % 7), SimRegion::new);
          world.run(EVENTS);
          assertThat(world.admittedMilli()).isPositive();
          seen[0] += world.gifts();
          seen[1] += world.refusals();
          seen[2] += world.evictions();
        });
    if (System.getProperty(Seeds.PROPERTY) == null) {
      assertThat(seen[0]).as("gifts").isGreaterThan(10 * SEEDS);
      assertThat(seen[1]).as("damaged snapshots").isGreaterThan(10 * SEEDS);
      assertThat(seen[2]).as("evictions").isGreaterThan(SEEDS / 4);
    }
  }

  @Test
  void run_receiverForgetsThatItCredited_isCaught() {
    assertCaught(ForgetfulReceiver::new, "ppm");
  }

  @Test
  void run_donorPublishesBeforeItDebits_isCaught() {
    assertCaught(HastyDonor::new, "");
  }

  @Test
  void run_everyRegionEnforcesTheWholeLessWhatItHearsOf_isCaught() {
    assertCaught(Counting::new, "ppm");
  }

  /** The checks of shares and of windows are two; the second must not lean on the first. */
  @Test
  void admitted_twoRegionsSpendTheWhole_isCaught() {
    GlobalLimit global = GlobalLimit.of(dev.millrace.Limit.perMinute("rpm", 100), 10_000);
    GlobalChecker checker = new GlobalChecker(global.whole(), 2, 0);
    checker.admitted(100_002, 0);
    checker.admitted(1_666, 1_000);
    assertThatThrownBy(() -> checker.admitted(1, 1_000)).isInstanceOf(AssertionError.class);
  }

  private static void assertCaught(World.Maker maker, String message) {
    assertThatThrownBy(
            () ->
                Seeds.forEach(
                    SEEDS,
                    (random, seed) -> new World(random, 2 + (int) (seed % 7), maker).run(EVENTS)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(message);
  }

  /** Its bucket is raised in one write, its ledger in another, and it crashes between them. */
  private static final class ForgetfulReceiver extends SimRegion {
    ForgetfulReceiver(
        String name,
        GlobalLimit global,
        AllocationPolicy policy,
        LimitLedger ledger,
        long clockOffsetMs,
        long nowMs) {
      super(name, global, policy, ledger, clockOffsetMs, nowMs);
    }

    @Override
    void enforce(RegionDeclaration declaration, long nowMs) {
      LimitLedger before = ledger;
      super.enforce(declaration, nowMs);
      if (ledger.sharePpm() > before.sharePpm()) {
        ledger = before;
      }
    }
  }

  /** It tells what it is about to give, and then does not come to do it. */
  private static final class HastyDonor extends SimRegion {
    HastyDonor(
        String name,
        GlobalLimit global,
        AllocationPolicy policy,
        LimitLedger ledger,
        long clockOffsetMs,
        long nowMs) {
      super(name, global, policy, ledger, clockOffsetMs, nowMs);
    }

    private RegionDeclaration last = RegionDeclaration.of(java.util.List.of(name, "other"));

    @Override
    void enforce(RegionDeclaration declaration, long nowMs) {
      last = declaration;
      super.enforce(declaration, nowMs);
    }

    @Override
    void publish(UnreliableBucket s3, long nowMs) throws IOException {
      LimitStep planned = plan(last, nowMs);
      publish(planned.ledger(), s3, nowMs);
    }
  }

  /** Enforces everything. */
  private static final class Counting extends SimRegion {
    Counting(
        String name,
        GlobalLimit global,
        AllocationPolicy policy,
        LimitLedger ledger,
        long clockOffsetMs,
        long nowMs) {
      super(name, global, policy, ledger, clockOffsetMs, nowMs);
      bucket.reparameterise(Ppm.WHOLE, 0, nowMs + clockOffsetMs);
    }

    @Override
    void enforce(RegionDeclaration declaration, long nowMs) {
      // what others consumed would be debited here, too late
    }
  }
}
