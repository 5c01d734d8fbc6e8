package dev.millrace.regions.internal.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.regions.EvictionSeal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitLedgerTest {
  private static final InitialShares THREE = InitialShares.of(List.of("us", "ap", "eu"));

  private final LimitLedger eu = LimitLedger.initial("eu", THREE);
  private final LimitLedger us = LimitLedger.initial("us", THREE);

  @Test
  void initial_threeRegions_theRestGoesToTheFirstByName() {
    assertThat(THREE.basePpm()).isEqualTo(Map.of("ap", 333_334L, "eu", 333_333L, "us", 333_333L));
    assertThat(eu.sharePpm()).isEqualTo(333_333);
    assertThat(LimitLedger.initial("later", THREE).sharePpm()).isZero();
  }

  @Test
  void give_debitsShareTokensAndTheForfeit() {
    LimitLedger.Change gift = eu.give("us", 100_000, 5_000);
    assertThat(gift.tokensMilli()).isEqualTo(-5_001);
    assertThat(gift.ledger().sharePpm()).isEqualTo(233_333);
    LimitLedger.Change next = gift.ledger().give("us", 1, 0);
    assertThat(next.ledger().dealings().gave("us")).isEqualTo(new TransferRow(100_001, 5_000));
    assertThat(next.tokensMilli()).isEqualTo(-1);
  }

  @Test
  void give_whatIsNotThere_isRefused() {
    assertThatThrownBy(() -> eu.give("us", 333_334, 0)).hasMessageContaining("holds 333333 ppm");
    assertThatThrownBy(() -> eu.give("us", 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> eu.give("us", 1, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> eu.give("eu", 1, 0)).hasMessageContaining("cannot give to 'eu'");
    assertThatThrownBy(() -> eu.give("US/..", 1, 0)).hasMessageContaining("small letter");
  }

  @Test
  void give_rowIsFull_tokensStay() {
    LimitLedger.Change first = eu.give("us", 1, Long.MAX_VALUE - 10);
    LimitLedger.Change second = first.ledger().give("us", 1, 100);
    assertThat(second.tokensMilli()).isEqualTo(-11);
    assertThat(second.ledger().dealings().gave("us").milli()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void receive_sameRowAgainAndAnOlderOne_creditsOnce() {
    TransferRow first = eu.give("us", 100_000, 5_000).ledger().dealings().gave("us");
    LimitLedger.Change credited = ((RowReceipt.Credited) us.receive("eu", first)).move();
    assertThat(credited.tokensMilli()).isEqualTo(4_999);
    assertThat(credited.ledger().sharePpm()).isEqualTo(433_333);
    assertThat(credited.ledger().receive("eu", first)).isEqualTo(new RowReceipt.Duplicate());
    assertThat(refusal(credited.ledger().receive("eu", TransferRow.ZERO)))
        .isEqualTo(RowReceipt.Reason.SHRUNK);
    assertThat(refusal(credited.ledger().receive("eu", new TransferRow(200_000, 4_999))))
        .isEqualTo(RowReceipt.Reason.SHRUNK);
    LimitLedger.Change more =
        ((RowReceipt.Credited) credited.ledger().receive("eu", new TransferRow(150_000, 6_000)))
            .move();
    assertThat(more.tokensMilli()).isEqualTo(999);
    assertThat(more.ledger().sharePpm()).isEqualTo(483_333);
  }

  @Test
  void receive_moreThanThereIs_isRefused() {
    assertThat(refusal(us.receive("eu", new TransferRow(666_668, 0))))
        .isEqualTo(RowReceipt.Reason.BEYOND_WHOLE);
    assertThat(refusal(us.receive("eu", new TransferRow(Long.MAX_VALUE, 0))))
        .isEqualTo(RowReceipt.Reason.BEYOND_WHOLE);
  }

  @Test
  void construction_sharesThatCannotBe_isRefused() {
    TransferRows tooMuch = TransferRows.NONE.withGave("us", new TransferRow(333_334, 0));
    assertThatThrownBy(() -> new LimitLedger("eu", THREE, tooMuch, List.of(), List.of()))
        .hasMessageContaining("would hold -1 ppm");
    assertThatThrownBy(() -> new TransferRow(-1, 0)).hasMessageContaining("negative");
  }

  @Test
  void inherit_deadInTheMiddleOfGiving_whatWasOnItsWayIsInTheEstateOnce() {
    EvictionSeal seal = EvictionSeal.of(List.of("ap"), List.of("eu", "us"));
    // ap gave to both; eu has credited it, us has not. us gave to ap, which may or may not know.
    LimitLedger left =
        ((RowReceipt.Credited) eu.receive("ap", new TransferRow(100_000, 0)))
            .move()
            .ledger()
            .seal(seal);
    LimitLedger right = us.give("ap", 33_333, 10).ledger().seal(seal);
    assertThat(left.inherit(Map.of("us", new LimitLedger.SealedRows(List.of(), right.dealings()))))
        .isEmpty();

    LimitLedger.Change one =
        left.inherit(Map.of("us", new LimitLedger.SealedRows(List.of(seal), right.dealings())))
            .orElseThrow();
    LimitLedger.Change two =
        right
            .inherit(Map.of("eu", new LimitLedger.SealedRows(List.of(seal), left.dealings())))
            .orElseThrow();

    assertThat(one.ledger().sharePpm()).isEqualTo(433_333 + 133_334);
    assertThat(two.ledger().sharePpm()).isEqualTo(300_000 + 133_333);
    assertThat(one.ledger().founding()).isEqualTo(two.ledger().founding());
    assertThat(one.tokensMilli()).isEqualTo(-1);
    assertThat(one.ledger().seal(seal)).as("repeated").isEqualTo(one.ledger());
    assertThat(one.ledger().inherit(Map.of())).isEmpty();
    assertThat(refusal(two.ledger().receive("ap", new TransferRow(50_000, 0))))
        .isEqualTo(RowReceipt.Reason.SEALED);
    assertThatThrownBy(() -> two.ledger().give("ap", 1, 0)).hasMessageContaining("cannot give");
  }

  @Test
  void seal_fewerDeadOrAForgottenRegion_isRefused() {
    InitialShares four = InitialShares.of(List.of("ap", "eu", "sa", "us"));
    LimitLedger ledger = LimitLedger.initial("eu", four);
    assertThatThrownBy(() -> ledger.seal(EvictionSeal.of(List.of("ap"), List.of("eu", "us"))))
        .hasMessageContaining("cannot seal");
    assertThatThrownBy(() -> ledger.seal(EvictionSeal.of(List.of("ap"), List.of("us", "sa"))))
        .hasMessageContaining("cannot seal");
    LimitLedger sealed = ledger.seal(EvictionSeal.of(List.of("ap", "sa"), List.of("eu", "us")));
    assertThatThrownBy(() -> sealed.seal(EvictionSeal.of(List.of("ap"), List.of("eu", "sa", "us"))))
        .hasMessageContaining("cannot seal");
  }

  private static RowReceipt.Reason refusal(RowReceipt receipt) {
    return ((RowReceipt.Refused) receipt).reason();
  }
}
