package dev.millrace.proving.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proving.soak.journal.OperationOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is surely charged and what may be. */
class MergedJournalsTest {
  @ParameterizedTest
  @CsvSource({
    "GRANTED, 5..5",
    "REFUSED, 0..0",
    "UNCHARGED, 0..0",
    "UNSURE, 0..5",
    "DEGRADED, 0..0"
  })
  void acquire_told_isBookedAsTold(OperationOutcome verdict, String charged) {
    assertThat(new Script().acquire(5, verdict).end().charged()).isEqualTo(charged);
  }

  @Test
  void acquire_killedBeforeTheAnswer_mayBeCharged() {
    assertThat(new Script().acquire(3, OperationOutcome.GRANTED).acquire(5).charged())
        .isEqualTo("3..8");
  }

  @Test
  void settle_inGoodOrder_isExact() {
    Script script = new Script();
    script.acquire(5, OperationOutcome.GRANTED).settle(2, OperationOutcome.SETTLED);
    script.acquire(5, OperationOutcome.GRANTED).settle(-3, OperationOutcome.SETTLED);
    script.acquire(5, OperationOutcome.GRANTED).cancel(5, OperationOutcome.SETTLED);

    assertThat(script.end().charged()).isEqualTo("9..9");
  }

  /** Lost, made, or made twice: a charge whose answer is lost is sent again. */
  @Test
  void settle_chargeFailed_mayBeLostOrTwice() {
    Script script =
        new Script()
            .acquire(5, OperationOutcome.GRANTED)
            .settle(2, OperationOutcome.UNSETTLED)
            .end();

    assertThat(script.charged()).isEqualTo("5..9");
  }

  /** A refund is never sent again. */
  @Test
  void settle_refundFailed_mayBeLost() {
    Script script =
        new Script()
            .acquire(5, OperationOutcome.GRANTED)
            .settle(-2, OperationOutcome.UNSETTLED)
            .end();

    assertThat(script.charged()).isEqualTo("3..5");
  }

  @Test
  void settle_killedBeforeTheAnswer_mayBeLost() {
    assertThat(new Script().acquire(5, OperationOutcome.GRANTED).cancel(5).charged())
        .isEqualTo("0..5");
  }

  @Test
  void settle_answerLostMeanwhile_mayBeTwice() {
    Script script =
        new Script().acquire(5, OperationOutcome.GRANTED).settle(2, OperationOutcome.SETTLED);

    assertThat(script.lostAnswer().within().end().charged()).isEqualTo("5..9");
  }

  @Test
  void settle_atOnceAndKilledLater_isExact() {
    Script script =
        new Script().acquire(5, OperationOutcome.GRANTED).settle(2, OperationOutcome.SETTLED);

    assertThat(script.charged()).isEqualTo("7..7");
  }

  @Test
  void settle_deferredAndKilledSoonAfter_mayBeLost() {
    Script script = new Script().deferred().acquire(5, OperationOutcome.GRANTED);

    assertThat(script.settle(2, OperationOutcome.SETTLED).charged()).isEqualTo("5..9");
  }

  @Test
  void settle_deferredAndKilledMuchLater_isExact() {
    Script script =
        new Script()
            .deferred()
            .acquire(5, OperationOutcome.GRANTED)
            .settle(2, OperationOutcome.SETTLED);
    script.pass(Script.SETTLE_WITHIN_MS + 1).acquire(1, OperationOutcome.REFUSED);

    assertThat(script.charged()).isEqualTo("7..7");
  }

  @Test
  void settle_deferredAndFailedSoonAfter_mayBeLost() {
    Script script =
        new Script()
            .deferred()
            .acquire(5, OperationOutcome.GRANTED)
            .settle(-2, OperationOutcome.SETTLED);

    assertThat(script.notSettled(-2).end().charged()).isEqualTo("3..5");
  }

  /** What was not charged is not given back, so a lease never costs less than nothing. */
  @Test
  void cancel_grantedWithoutTheStoreButWritten_isNeverBelowZero() {
    Script script = new Script().acquire(5, OperationOutcome.DEGRADED).written().within();

    assertThat(script.cancel(5, OperationOutcome.SETTLED).end().charged()).isEqualTo("0..5");
  }

  @Test
  void settle_grantedWithoutTheStoreAndWithoutAWrite_isNothing() {
    Script script = new Script().written().pass(10).acquire(5, OperationOutcome.DEGRADED);
    script.settle(2, OperationOutcome.SETTLED).pass(10).written().end();

    assertThat(script.charged()).isEqualTo("0..0");
  }

  @Test
  void acquire_grantedWithoutTheStoreJustBeforeAKill_mayBeCharged() {
    assertThat(new Script().acquire(5, OperationOutcome.DEGRADED).charged()).isEqualTo("0..5");
  }

  @Test
  void refused_givenBackInGoodOrder_isNothing() {
    Script script = new Script().acquire(5, OperationOutcome.REFUSED).givenBack().within();

    assertThat(script.end().charged()).isEqualTo("0..0");
  }

  @Test
  void refused_givingBackFailed_mayBeCharged() {
    Script script = new Script().acquire(5, OperationOutcome.REFUSED).givenBack().within();

    assertThat(script.notSettled(-5).end().charged()).isEqualTo("0..5");
  }

  @Test
  void refused_killedWhileGivingBack_mayBeCharged() {
    Script script = new Script().acquire(5, OperationOutcome.REFUSED).givenBack().within();

    assertThat(script.charged()).isEqualTo("0..5");
  }

  /** Two lots of four times what was asked for in half a horizon. */
  @Test
  void ahead_killed_mayHoldTwoLots() {
    Script script = new Script().ahead(20).acquire(1, OperationOutcome.GRANTED);
    script.pass(11).acquire(2, OperationOutcome.GRANTED);

    assertThat(script.charged()).isEqualTo("3..19");
  }

  @Test
  void ahead_endedInGoodOrder_holdsNothing() {
    assertThat(new Script().ahead(20).acquire(1, OperationOutcome.GRANTED).end().charged())
        .isEqualTo("1..1");
  }

  @Test
  void ahead_givingBackFailed_mayKeepIt() {
    Script script =
        new Script().ahead(20).acquire(1, OperationOutcome.GRANTED).notSettled(-4).end();

    assertThat(script.charged()).isEqualTo("1..5");
  }

  /** The database may have kept its token and not its effect. */
  @Test
  void transaction_databaseKilledMeanwhile_mayBeLost() {
    Script script = new Script().transactional().acquire(5, OperationOutcome.GRANTED).end();

    assertThat(script.charged(Script.OPENED_MS)).isEqualTo("0..5");
    assertThat(script.charged(Script.OPENED_MS - 1, script.nowMs())).isEqualTo("5..5");
  }

  @Test
  void singleWrite_databaseKilledMeanwhile_isExact() {
    Script script = new Script().acquire(5, OperationOutcome.GRANTED).end();

    assertThat(script.charged(Script.OPENED_MS)).isEqualTo("5..5");
  }
}
