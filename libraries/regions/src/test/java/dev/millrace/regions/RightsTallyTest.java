package dev.millrace.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Limit;
import dev.millrace.regions.internal.ledger.LimitKey;
import dev.millrace.regions.internal.ledger.LimitLedger;
import dev.millrace.regions.internal.ledger.PeerLimit;
import dev.millrace.regions.internal.ledger.PeerView;
import dev.millrace.regions.internal.ledger.RegionDeclaration;
import dev.millrace.regions.internal.ledger.RowReceipt;
import dev.millrace.regions.internal.ledger.TransferRows;
import dev.millrace.testkit.internal.generator.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bound on over-admission, of what one region knows of the others at any time. */
class RightsTallyTest {
  private static final LimitKey KEY = new LimitKey("acme", "gpt-4", "rpm");
  private static final Limit WHOLE = Limit.perMinute("rpm", 6_000);
  private static final RegionDeclaration THREE = RegionDeclaration.of(List.of("ap", "eu", "us"));

  private static CycleReport.RegionRights tally(
      RegionDeclaration declaration, PeerView peers, LimitLedger own) {
    RightsTally tally =
        new RightsTally(
            new RegionSite(own.region(), declaration), peers, AllocationPolicy.DEFAULT, 1_000_000);
    tally.add(KEY, WHOLE, own);
    return tally.rights();
  }

  private static void tell(PeerView peers, LimitLedger ledger, long sequence) {
    peers.heard(ledger.region(), sequence, List.of(), 1_000_000);
    peers.merge(
        ledger.region(),
        KEY,
        PeerLimit.of(
            ledger.dealings(),
            new PeerLimit.Gauges(sequence, 0, 0, 0, 6_000_000, ledger.sharePpm(), 0)));
  }

  /** The others are known as they were at any time before, each at another. */
  @Test
  void add_anyHistoryToldAtAnyTimes_boundIsZero() {
    Seeds.forEach(
        300,
        (random, seed) -> {
          List<String> names = THREE.regions();
          Map<String, List<LimitLedger>> history = new TreeMap<>();
          names.forEach(name -> history.put(name, new ArrayList<>(List.of(THREE.initial(name)))));
          for (int i = 0; i < 20; i++) {
            String from = names.get(random.nextInt(3));
            String to = names.get(random.nextInt(3));
            LimitLedger giver = last(history, from);
            if (!from.equals(to) && giver.sharePpm() > 0 && random.nextBoolean()) {
              int ppm = 1 + random.nextInt(giver.sharePpm());
              put(history, giver.give(to, ppm, random.nextInt(1_000)).ledger());
            } else if (!from.equals(to)
                && last(history, to).receive(from, giver.dealings().gave(to))
                    instanceof RowReceipt.Credited credited) {
              put(history, credited.move().ledger());
            }
          }
          PeerView peers = new PeerView();
          for (String other : List.of("ap", "us")) {
            List<LimitLedger> told = history.getOrDefault(other, List.of());
            if (random.nextInt(5) > 0) {
              int at = random.nextInt(told.size());
              tell(peers, told.get(at), at);
            }
          }
          CycleReport.RegionRights rights = tally(THREE, peers, last(history, "eu"));
          assertThat(rights.overAdmissionPpm()).isZero();
          assertThat(rights.overAdmissionMilli()).isZero();
        });
  }

  private static LimitLedger last(Map<String, List<LimitLedger>> history, String name) {
    List<LimitLedger> all = history.getOrDefault(name, List.of());
    return all.get(all.size() - 1);
  }

  private static void put(Map<String, List<LimitLedger>> history, LimitLedger ledger) {
    history.computeIfAbsent(ledger.region(), name -> new ArrayList<>()).add(ledger);
  }

  @Test
  void add_ownLedgerFromABackup_boundIsWhatItGaveSince() {
    LimitLedger before = THREE.initial("eu");
    LimitLedger after = before.give("us", 100_000, 600_000).ledger();
    LimitLedger us =
        ((RowReceipt.Credited) THREE.initial("us").receive("eu", after.dealings().gave("us")))
            .move()
            .ledger();
    PeerView peers = new PeerView();
    tell(peers, us, 1);
    assertThat(tally(THREE, peers, after).overAdmissionPpm()).isZero();
    CycleReport.RegionRights forgotten = tally(THREE, peers, before);
    assertThat(forgotten.overAdmissionPpm()).isEqualTo(100_000);
    assertThat(forgotten.overAdmissionMilli()).isEqualTo(600_000);
  }

  @Test
  void add_peerTellsMoreThanItsRowsSay_isNotHidden() {
    PeerView peers = new PeerView();
    peers.heard("us", 1, List.of(), 1_000_000);
    peers.merge(
        "us",
        KEY,
        PeerLimit.of(TransferRows.NONE, new PeerLimit.Gauges(1, 0, 0, 0, 6_000_000, 400_000, 0)));
    assertThat(tally(THREE, peers, THREE.initial("eu")).overAdmissionPpm()).isEqualTo(66_667);
  }

  @Test
  void rights_giftOnItsWay_isInFlightUntilItIsSeen() {
    LimitLedger eu = THREE.initial("eu").give("us", 100_000, 5_000).ledger();
    PeerView peers = new PeerView();
    tell(peers, THREE.initial("us"), 1);
    CycleReport.RegionRights rights = tally(THREE, peers, eu);
    assertThat(rights.inFlightPpm()).isEqualTo(100_000);
    assertThat(rights.inFlightMilli()).isEqualTo(5_000);
    assertThat(rights.meanSharesPpm())
        .isEqualTo(new TreeMap<>(Map.of("ap", 333_334L, "eu", 233_333L, "us", 333_333L)));
  }

  @Test
  void rights_silentForTooLong_isStranded() {
    PeerView peers = new PeerView();
    tell(peers, THREE.initial("us"), 1);
    RightsTally later =
        new RightsTally(
            new RegionSite("eu", THREE),
            peers,
            AllocationPolicy.DEFAULT,
            1_000_001 + AllocationPolicy.DEFAULT.staleAfterMs());
    later.add(KEY, WHOLE, THREE.initial("eu"));
    assertThat(later.rights().strandedPpm()).isEqualTo(333_333);
  }
}
