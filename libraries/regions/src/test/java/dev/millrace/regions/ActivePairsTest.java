package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.BucketKey;
import dev.millrace.core.spi.directory.Listing;
import dev.millrace.core.spi.store.StoreCall;
import dev.millrace.testkit.Calls;
import dev.millrace.testkit.Fault;
import dev.millrace.testkit.RecordingStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The reads of a window with and without an observer of every write. */
class ActivePairsTest {
  private static final int QUIET = 120;

  private final World world = new World("eu", "us");
  private final World.Region eu = world.region("eu");
  private final RecordingStore calls = RecordingStore.over(eu.store, eu.store);
  private final Shelf shelf = new Shelf();
  private final Set<BucketKey> seen = new HashSet<>();
  private boolean missing;

  private final RegionExchange exchange =
      new RegionExchange(
          new RegionSync(
              calls,
              "default",
              World.POLICY,
              world.clock::nowMs,
              () -> "eu." + world.clock.nowMs() + "." + System.nanoTime(),
              eu.events,
              this::drain),
          shelf,
          World.POLICY,
          eu.events);
  private final RegionExchange others =
      new RegionExchange(world.region("us").newSync(), shelf, World.POLICY, eu.events);

  private @Nullable Set<BucketKey> drain() {
    Set<BucketKey> drained = missing ? null : Set.copyOf(seen);
    seen.clear();
    missing = false;
    return drained;
  }

  private void write(String entity, int requests) {
    eu.askOf(entity, requests);
    seen.add(BucketKey.first("default", entity, World.RESOURCE));
  }

  private CycleReport window() {
    world.clock.advance(Duration.ofSeconds(10));
    others.cycle();
    calls.clear();
    return exchange.cycle();
  }

  private int bucketsRead() {
    return calls.calls().stream()
        .filter(StoreCall.ReadAll.class::isInstance)
        .mapToInt(call -> ((StoreCall.ReadAll) call).keys().size())
        .sum();
  }

  private static boolean listsBuckets(StoreCall call) {
    return call instanceof StoreCall.ListPage page
        && !(page.listing() instanceof Listing.ResourceConfigs);
  }

  private void fill() {
    for (int i = 0; i < QUIET; i++) {
      write("quiet-" + i, 1);
    }
  }

  @Test
  void cycle_viewThatSeesAll_readsWhatWasWrittenAndNoIndex() {
    fill();
    CycleReport first = window();
    assertThat(first.work().fromView()).as("it cannot know what was before").isFalse();
    assertThat(bucketsRead()).isEqualTo(QUIET);

    write("quiet-7", 1);
    write("new", 1);
    CycleReport second = window();

    assertThat(second.work().fromView()).isTrue();
    assertThat(second.work().pairs()).isEqualTo(2);
    assertThat(second.work().limits()).isEqualTo(2);
    assertThat(bucketsRead()).isEqualTo(2);
    assertThat(calls.roundTrips(ActivePairsTest::listsBuckets)).isZero();
    assertThat(window().work().pairs()).as("nothing was written").isZero();
  }

  @Test
  void cycle_nobodyWatches_asksTheIndexEveryTime() {
    fill();
    missing = true;
    assertThat(window().work().pairs()).isEqualTo(QUIET);
    missing = true;
    CycleReport again = window();
    assertThat(again.work().fromView()).isFalse();
    assertThat(again.work().pairs()).isEqualTo(QUIET);
    assertThat(calls.roundTrips(ActivePairsTest::listsBuckets)).isPositive();
  }

  @Test
  void cycle_viewMissedSomething_asksTheIndexOnceAndGoesOn() {
    fill();
    window();
    eu.askOf("unseen", 1);
    missing = true;
    CycleReport report = window();
    assertThat(report.work().fromView()).isFalse();
    assertThat(report.work().pairs()).isEqualTo(QUIET + 1);
    assertThat(window().work().fromView()).isTrue();
  }

  @Test
  void cycle_everyThirtiethWindow_looksAtAllInCaseSomethingWasMissed() {
    fill();
    window();
    int listed = 0;
    for (int i = 0; i < ActivePairs.INDEX_EVERY + 1; i++) {
      listed += window().work().fromView() ? 0 : 1;
    }
    assertThat(listed).isEqualTo(1);
  }

  /** The other may have missed the snapshot in which it stood. */
  @Test
  void cycle_rightsChangedHands_areToldUntilTheEnd() {
    fill();
    window();
    for (int i = 0; i < 4; i++) {
      write(World.ENTITY, 3_000);
      window();
      seen.add(World.BUCKET); // the exchange itself wrote it
    }
    assertThat(eu.ledger().dealings().isEmpty()).isFalse();
    seen.clear();
    for (int i = 0; i < 3; i++) {
      CycleReport quiet = window();
      assertThat(quiet.work().fromView()).isTrue();
      assertThat(quiet.work().limits()).isEqualTo(1);
      seen.clear();
    }
    world.requireWhole();
  }

  @Test
  void cycle_pairThatFailed_isLookedAtAgain() {
    fill();
    window();
    write("quiet-3", 1);
    eu.store.always(Calls.reads(), Fault.unreachable());
    assertThat(window().work().failedPairs()).isEqualTo(1);
    eu.store.heal();
    CycleReport next = window();
    assertThat(next.work().fromView()).isTrue();
    assertThat(next.work().pairs()).isEqualTo(1);
    assertThat(next.work().failedPairs()).isZero();
  }

  @Test
  void cycle_windowThatBrokeOff_isFollowedByOneThatLooksAtAll() {
    fill();
    window();
    write("quiet-3", 1);
    eu.store.once(Calls.reads(), Fault.raise(new IllegalStateException("died")));
    assertThatThrownBy(this::window).isInstanceOf(IllegalStateException.class);
    assertThat(window().work().fromView()).isFalse();
  }

  @Test
  void cycle_declarationChanged_looksAtAll() {
    fill();
    window();
    for (World.Region region : List.copyOf(world.regions.values())) {
      region.sharing.add("ap");
    }
    assertThat(window().work().pairs()).isEqualTo(QUIET);
    assertThat(window().work().fromView()).isTrue();
  }
}
