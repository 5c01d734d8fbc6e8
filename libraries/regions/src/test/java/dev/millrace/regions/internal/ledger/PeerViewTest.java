package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.regions.EvictionSeal;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PeerViewTest {
  private static final LimitKey KEY = new LimitKey("acme", "gpt-4", "rpm");

  private final PeerView peers = new PeerView();

  @Test
  void ageMs_isByTheOwnClockSinceSomethingNewCame() {
    assertThat(peers.ageMs("eu", 100)).isEqualTo(Long.MAX_VALUE);
    peers.heard("eu", 7, List.of(), 100);
    peers.heard("eu", 7, List.of(), 500); // the same again is no sign of life
    peers.heard("eu", 6, List.of(), 600);
    assertThat(peers.ageMs("eu", 700)).isEqualTo(600);
    peers.heard("eu", 8, List.of(), 700);
    assertThat(peers.ageMs("eu", 700)).isZero();
  }

  @Test
  void isShrunk_onlyWhenALaterSnapshotHasLess() {
    peers.heard("eu", 7, List.of(), 0);
    peers.merge("eu", KEY, PeerLimit.of(gave(5, 50), gauges(7)));
    assertThat(peers.isShrunk("eu", 8, KEY, gave(5, 49))).isTrue();
    assertThat(peers.isShrunk("eu", 8, KEY, TransferRows.NONE)).isTrue();
    assertThat(peers.isShrunk("eu", 8, KEY, gave(6, 50))).isFalse();
    assertThat(peers.isShrunk("eu", 6, KEY, gave(4, 40))).as("late, not less").isFalse();
    assertThat(peers.isShrunk("us", 8, KEY, gave(4, 40))).isFalse();
  }

  @Test
  void heard_limitThatIsLongGone_isForgotten() {
    peers.heard("eu", 1, List.of(), 0);
    peers.merge("eu", KEY, PeerLimit.of(gave(5, 50), gauges(1)));
    for (int later = 1; later < PeerView.KEPT_SNAPSHOTS; later++) {
      peers.heard("eu", 1 + later * 10_000L, List.of(), 0);
      assertThat(peers.size()).isEqualTo(1);
    }
    peers.heard("eu", 1 + PeerView.KEPT_SNAPSHOTS * 10_000L, List.of(), 0);
    assertThat(peers.size()).isZero();
  }

  @Test
  void sealer_whenAnybodySaysSo_isThatRegion() {
    assertThat(peers.sealer("us")).isNull();
    peers.heard("eu", 1, List.of(EvictionSeal.of(List.of("us"), List.of("ap", "eu"))), 0);
    assertThat(peers.sealer("us")).isNotNull();
    assertThat(peers.sealer("ap")).isNull();
  }

  private static PeerLimit.Gauges gauges(long sequence) {
    return new PeerLimit.Gauges(sequence, 0, 0, 0, 0, 0, 0);
  }

  private static TransferRows gave(long ppm, long milli) {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    gave.put("us", new TransferRow(ppm, milli));
    return new TransferRows(gave, new TreeMap<>());
  }
}
