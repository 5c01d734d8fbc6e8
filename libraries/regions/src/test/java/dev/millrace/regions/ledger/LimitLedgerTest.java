package dev.millrace.regions.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitLedgerTest {
  private static final Founding THREE = Founding.of(List.of("us", "ap", "eu"));

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
    Move gift = eu.give("us", 100_000, 5_000);
    assertThat(gift.tokensMilli()).isEqualTo(-5_001);
    assertThat(gift.ledger().sharePpm()).isEqualTo(233_333);
    Move next = gift.ledger().give("us", 1, 0);
    assertThat(next.ledger().dealings().gave("us")).isEqualTo(new Row(100_001, 5_000));
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
    Move first = eu.give("us", 1, Long.MAX_VALUE - 10);
    Move second = first.ledger().give("us", 1, 100);
    assertThat(second.tokensMilli()).isEqualTo(-11);
    assertThat(second.ledger().dealings().gave("us").milli()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void receive_sameRowAgainAndAnOlderOne_creditsOnce() {
    Row first = eu.give("us", 100_000, 5_000).ledger().dealings().gave("us");
    Move credited = ((Receipt.Credited) us.receive("eu", first)).move();
    assertThat(credited.tokensMilli()).isEqualTo(4_999);
    assertThat(credited.ledger().sharePpm()).isEqualTo(433_333);
    assertThat(credited.ledger().receive("eu", first)).isEqualTo(new Receipt.Nothing());
    assertThat(refusal(credited.ledger().receive("eu", Row.ZERO))).isEqualTo(Receipt.Reason.SHRUNK);
    assertThat(refusal(credited.ledger().receive("eu", new Row(200_000, 4_999))))
        .isEqualTo(Receipt.Reason.SHRUNK);
    Move more =
        ((Receipt.Credited) credited.ledger().receive("eu", new Row(150_000, 6_000))).move();
    assertThat(more.tokensMilli()).isEqualTo(999);
    assertThat(more.ledger().sharePpm()).isEqualTo(483_333);
  }

  @Test
  void receive_moreThanThereIs_isRefused() {
    assertThat(refusal(us.receive("eu", new Row(666_668, 0))))
        .isEqualTo(Receipt.Reason.BEYOND_WHOLE);
    assertThat(refusal(us.receive("eu", new Row(Long.MAX_VALUE, 0))))
        .isEqualTo(Receipt.Reason.BEYOND_WHOLE);
  }

  @Test
  void construction_sharesThatCannotBe_isRefused() {
    Dealings tooMuch = Dealings.NONE.withGave("us", new Row(333_334, 0));
    assertThatThrownBy(() -> new LimitLedger("eu", THREE, tooMuch, List.of(), List.of()))
        .hasMessageContaining("would hold -1 ppm");
    assertThatThrownBy(() -> new Row(-1, 0)).hasMessageContaining("negative");
  }

  @Test
  void inherit_deadInTheMiddleOfGiving_whatWasOnItsWayIsInTheEstateOnce() {
    Seal seal = Seal.of(List.of("ap"), List.of("eu", "us"));
    // ap gave to both; eu has credited it, us has not. us gave to ap, which may or may not know.
    LimitLedger left =
        ((Receipt.Credited) eu.receive("ap", new Row(100_000, 0))).move().ledger().seal(seal);
    LimitLedger right = us.give("ap", 33_333, 10).ledger().seal(seal);
    assertThat(left.inherit(Map.of("us", new SealedDealings(List.of(), right.dealings()))))
        .isEmpty();

    Move one =
        left.inherit(Map.of("us", new SealedDealings(List.of(seal), right.dealings())))
            .orElseThrow();
    Move two =
        right
            .inherit(Map.of("eu", new SealedDealings(List.of(seal), left.dealings())))
            .orElseThrow();

    assertThat(one.ledger().sharePpm()).isEqualTo(433_333 + 133_334);
    assertThat(two.ledger().sharePpm()).isEqualTo(300_000 + 133_333);
    assertThat(one.ledger().founding()).isEqualTo(two.ledger().founding());
    assertThat(one.tokensMilli()).isEqualTo(-1);
    assertThat(one.ledger().seal(seal)).as("repeated").isEqualTo(one.ledger());
    assertThat(one.ledger().inherit(Map.of())).isEmpty();
    assertThat(refusal(two.ledger().receive("ap", new Row(50_000, 0))))
        .isEqualTo(Receipt.Reason.SEALED);
    assertThatThrownBy(() -> two.ledger().give("ap", 1, 0)).hasMessageContaining("cannot give");
  }

  @Test
  void seal_fewerDeadOrAForgottenRegion_isRefused() {
    Founding four = Founding.of(List.of("ap", "eu", "sa", "us"));
    LimitLedger ledger = LimitLedger.initial("eu", four);
    assertThatThrownBy(() -> ledger.seal(Seal.of(List.of("ap"), List.of("eu", "us"))))
        .hasMessageContaining("cannot seal");
    assertThatThrownBy(() -> ledger.seal(Seal.of(List.of("ap"), List.of("us", "sa"))))
        .hasMessageContaining("cannot seal");
    LimitLedger sealed = ledger.seal(Seal.of(List.of("ap", "sa"), List.of("eu", "us")));
    assertThatThrownBy(() -> sealed.seal(Seal.of(List.of("ap"), List.of("eu", "sa", "us"))))
        .hasMessageContaining("cannot seal");
  }

  private static Receipt.Reason refusal(Receipt receipt) {
    return ((Receipt.Refused) receipt).reason();
  }
}
