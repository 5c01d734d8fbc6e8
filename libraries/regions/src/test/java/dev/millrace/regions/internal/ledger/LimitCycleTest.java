package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Limit;
import dev.millrace.regions.AllocationPolicy;
import dev.millrace.regions.EvictionSeal;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two regions share 6,000 a minute; "eu" decides, at the time 1,000,000 of its own clock. */
class LimitCycleTest {
  private static final LimitKey KEY = new LimitKey("acme", "gpt-4", "rpm");
  private static final AllocationPolicy POLICY = AllocationPolicy.DEFAULT;
  private static final GlobalLimit LIMIT = GlobalLimit.of(Limit.perMinute("rpm", 6_000), 10_000);
  private static final RegionDeclaration TWO = RegionDeclaration.of(List.of("eu", "us"));
  private static final long NOW = 1_000_000;
  private static final LimitCycle.OwnGauges IDLE =
      new LimitCycle.OwnGauges(3_000_000, 0, 10_000, false);

  private final PeerView peers = new PeerView();
  private final LimitLedger eu = TWO.initial("eu");

  @Test
  void step_peerRunsDry_idleRegionGivesShareAndTokens() {
    usHasSpent(5_000_000, TransferRows.NONE, 500_000);
    LimitStep step = step(eu, IDLE);
    assertThat(step.gifts()).containsExactly(new ShareAllocation.Transfer("eu", "us", 490_000));
    assertThat(step.ledger().sharePpm()).isEqualTo(10_000);
    // 490 of 500 parts of the balance, less what a change of share costs
    assertThat(step.ledger().dealings().gave("us")).isEqualTo(new TransferRow(490_000, 2_939_999));
    assertThat(step.tokensMilli()).isEqualTo(-2_940_000);
    assertThat(step.balanceMilli(3_000_000, LIMIT.ceilingMilli(10_000))).isEqualTo(60_000);
  }

  @Test
  void step_giftIsOnItsWay_isNotMadeAgain() {
    usHasSpent(5_000_000, TransferRows.NONE, 500_000);
    LimitLedger gave = step(eu, IDLE).ledger();
    LimitStep again = step(gave, new LimitCycle.OwnGauges(60_000, 0, 10_000, false));
    assertThat(again.gifts()).isEmpty();
    assertThat(again.ledger()).isEqualTo(gave);
    assertThat(again.ledger()).isNotEqualTo(eu);
    assertThat(again.tokensMilli()).isZero();
  }

  @Test
  void step_peerNotHeardOfForLong_givesNothing() {
    usHasSpent(5_000_000, TransferRows.NONE, 500_000);
    LimitStep step =
        new LimitCycle(TWO, LIMIT, POLICY, KEY, peers, eu, NOW + POLICY.staleAfterMs() + 1)
            .step(IDLE);
    assertThat(step.gifts()).isEmpty();
  }

  @Test
  void step_peerGave_isCreditedOnce() {
    usHasSpent(0, gave("eu", 100_000, 5_000), 400_000);
    LimitStep step = step(eu, IDLE);
    assertThat(step.ledger().sharePpm()).isEqualTo(600_000);
    assertThat(step.tokensMilli()).isEqualTo(4_999);
    assertThat(step(step.ledger(), IDLE).tokensMilli()).isZero();
  }

  @Test
  void step_draining_givesAwayAll() {
    usHasSpent(0, TransferRows.NONE, 500_000);
    LimitStep step =
        new LimitCycle(TWO.draining("eu"), LIMIT, POLICY, KEY, peers, eu, NOW).step(IDLE);
    assertThat(step.ledger().sharePpm()).isZero();
    assertThat(LIMIT.part(step.ledger().sharePpm())).isEmpty();
  }

  @Test
  void step_peerHasLessThanWasCredited_isToldAndChangesNothing() {
    usHasSpent(0, gave("eu", 100_000, 5_000), 400_000);
    LimitLedger credited = step(eu, IDLE).ledger();
    PeerView forgetful = new PeerView();
    forgetful.heard("us", 9, List.of(), NOW);
    forgetful.merge(
        "us",
        KEY,
        PeerLimit.of(
            gave("eu", 99_999, 5_000), new PeerLimit.Gauges(9, 0, 0, 2_400_000, 0, 400_001, 0)));
    LimitStep step = new LimitCycle(TWO, LIMIT, POLICY, KEY, forgetful, credited, NOW).step(IDLE);
    assertThat(step.ledger()).isEqualTo(credited);
    assertThat(step.refusals())
        .extracting(RowReceipt.Refused::reason)
        .containsExactly(RowReceipt.Reason.SHRUNK);
  }

  @Test
  void step_ownLedgerIsAnOldCopy_givesNothingAndTells() {
    TreeMap<String, TransferRow> got = new TreeMap<>();
    got.put("eu", new TransferRow(200_000, 0));
    usHasSpent(5_000_000, new TransferRows(new TreeMap<>(), got), 700_000);
    LimitStep step = step(eu, IDLE);
    assertThat(step.gifts()).isEmpty();
    assertThat(step.refusals())
        .extracting(RowReceipt.Refused::reason)
        .containsExactly(RowReceipt.Reason.FORGOTTEN);
  }

  /** What it takes it might have given away since: nobody knows until an operator has said. */
  @Test
  void step_ownLedgerIsAnOldCopy_takesNothing() {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    gave.put("eu", new TransferRow(100_000, 5_000));
    TreeMap<String, TransferRow> got = new TreeMap<>();
    got.put("eu", new TransferRow(200_000, 0));
    usHasSpent(0, new TransferRows(gave, got), 600_000);

    LimitStep step = step(eu, IDLE);

    assertThat(step.ledger()).isEqualTo(eu);
    assertThat(step.tokensMilli()).isZero();
  }

  @Test
  void step_peerWasRestored_getsNothingFromHere() {
    usHasSpent(5_000_000, TransferRows.NONE, 500_000);
    assertThat(step(eu, IDLE).gifts()).as("it needs more").isNotEmpty();
    TreeMap<String, TransferRow> got = new TreeMap<>();
    got.put("us", new TransferRow(100_000, 0));
    LimitLedger credited =
        new LimitLedger(
            "eu", eu.founding(), new TransferRows(new TreeMap<>(), got), List.of(), List.of());

    LimitStep step = step(credited, IDLE);

    assertThat(step.gifts()).isEmpty();
    assertThat(step.ledger()).isEqualTo(credited);
  }

  @Test
  void reconciliation_ownLedgerIsAnOldCopy_agreesWithTheOthers() {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    gave.put("eu", new TransferRow(50_000, 5_000));
    TreeMap<String, TransferRow> got = new TreeMap<>();
    got.put("eu", new TransferRow(200_000, 7_000));
    usHasSpent(0, new TransferRows(gave, got), 650_000);

    LimitStep agreed = new LimitCycle(TWO, LIMIT, POLICY, KEY, peers, eu, NOW).reconciliation();

    assertThat(agreed.ledger().sharePpm()).isEqualTo(350_000);
    assertThat(agreed.tokensMilli()).as("none are credited").isEqualTo(-7_001);
    LimitStep after = step(agreed.ledger(), IDLE);
    assertThat(after.refusals()).isEmpty();
    assertThat(
            new LimitCycle(TWO, LIMIT, POLICY, KEY, peers, agreed.ledger(), NOW).reconciliation())
        .as("again")
        .isEqualTo(LimitStep.none(agreed.ledger()));
  }

  @Test
  void reconciliation_regionNotHeardOf_isRefused() {
    assertThatThrownBy(
            () -> new LimitCycle(TWO, LIMIT, POLICY, KEY, new PeerView(), eu, NOW).reconciliation())
        .hasMessageContaining("'us' has not published yet");
  }

  @Test
  void step_peerEvictedAndNobodyElseLeft_inheritsAtOnce() {
    RegionDeclaration alone = TWO.evicting("us", List.of());
    LimitStep step = new LimitCycle(alone, LIMIT, POLICY, KEY, peers, eu, NOW).step(IDLE);
    assertThat(step.ledger().sharePpm()).isEqualTo(1_000_000);
    assertThat(step.ledger().evicted()).containsExactly("us");
    LimitStep again =
        new LimitCycle(alone, LIMIT, POLICY, KEY, peers, step.ledger(), NOW).step(IDLE);
    assertThat(again.ledger()).isEqualTo(step.ledger());
  }

  @Test
  void evicting_aRegionThatHadNotSealedTheOneBefore_makesThemOne() {
    RegionDeclaration four = RegionDeclaration.of(List.of("a", "b", "c", "d"));
    RegionDeclaration one = four.evicting("d", List.of());
    EvictionSeal first = EvictionSeal.of(List.of("d"), List.of("a", "b", "c"));
    assertThat(one.evictions()).containsExactly(first);
    assertThat(one.evicting("c", List.of()).evictions())
        .containsExactly(EvictionSeal.of(List.of("c", "d"), List.of("a", "b")));
    assertThat(one.evicting("c", List.of(first)).evictions())
        .containsExactly(first, EvictionSeal.of(List.of("c"), List.of("a", "b")));
  }

  @Test
  void declaration_namesThatAreNotDeclared_areRefused() {
    assertThatThrownBy(() -> TWO.draining("ap")).hasMessage("draining 'ap' is none of [eu, us]");
    assertThatThrownBy(() -> RegionDeclaration.of(List.of("eu", "eu")))
        .hasMessageContaining("twice");
    assertThat(TWO.adding("ap").initial("ap").sharePpm()).isZero();
  }

  private LimitStep step(LimitLedger ledger, LimitCycle.OwnGauges own) {
    return new LimitCycle(TWO, LIMIT, POLICY, KEY, peers, ledger, NOW).step(own);
  }

  /** Two snapshots of "us": in between it has spent so much, and then has nothing left. */
  private void usHasSpent(long milli, TransferRows dealings, int sharePpm) {
    peers.heard("us", 2, List.of(), NOW);
    peers.merge(
        "us",
        KEY,
        PeerLimit.of(
            TransferRows.NONE, new PeerLimit.Gauges(1, 0, 0, milli, 6_000_000, sharePpm, 0)));
    long left = milli == 0 ? LIMIT.ceilingMilli(sharePpm) : 0;
    peers.merge(
        "us",
        KEY,
        PeerLimit.of(
            dealings, new PeerLimit.Gauges(2, 10_000, milli, left, 6_000_000, sharePpm, 0)));
  }

  private static TransferRows gave(String to, long ppm, long milli) {
    TreeMap<String, TransferRow> gave = new TreeMap<>();
    gave.put(to, new TransferRow(ppm, milli));
    return new TransferRows(gave, new TreeMap<>());
  }
}
