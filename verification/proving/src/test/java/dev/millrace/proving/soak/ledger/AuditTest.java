package dev.millrace.proving.soak.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proving.soak.journal.OperationOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every way in which the books and a bucket can disagree. */
class AuditTest {
  private static Script spent(long tokens) {
    return new Script().acquire(tokens, OperationOutcome.GRANTED);
  }

  @Test
  void audit_countedWhatWasCharged_isBalanced() {
    Audit audit =
        spent(30)
            .cancel(30, OperationOutcome.SETTLED)
            .acquire(20, OperationOutcome.GRANTED)
            .end()
            .audit(20);

    assertThat(audit.findings()).isEmpty();
    assertThat(audit.rows()).hasSize(1);
    assertThat(audit.rows().get(0).clippedMilli()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {20, 25})
  void audit_withinWhatIsNotKnown_isBalanced(long counted) {
    assertThat(spent(20).acquire(5).audit(counted).findings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {19, 26})
  void audit_outsideOfWhatIsNotKnown_isFound(long counted) {
    assertThat(spent(20).acquire(5).audit(counted).findings()).hasSize(1);
  }

  @Test
  void audit_chargeLost_isFound() {
    Audit audit = spent(20).acquire(5, OperationOutcome.GRANTED).end().audit(20);

    assertThat(audit.findings())
        .containsExactly(
            LedgerMismatch.of(
                LedgerMismatch.Kind.LOST,
                Script.ACCOUNT,
                5_000,
                "counted 20, and surely 25 were charged"));
  }

  @Test
  void audit_chargedTwice_isFound() {
    Audit audit = spent(20).end().audit(40);

    assertThat(audit.findings())
        .containsExactly(
            LedgerMismatch.of(
                LedgerMismatch.Kind.TWICE,
                Script.ACCOUNT,
                20_000,
                "counted 40, and at most 20 were charged"));
  }

  @Test
  void audit_refundedTwice_isFound() {
    Audit audit =
        spent(20)
            .acquire(5, OperationOutcome.GRANTED)
            .cancel(5, OperationOutcome.SETTLED)
            .end()
            .audit(15);

    assertThat(audit.findings())
        .extracting(LedgerMismatch::kind)
        .containsExactly(LedgerMismatch.Kind.LOST);
  }

  @Test
  void audit_refundLost_isFound() {
    Audit audit =
        spent(20)
            .acquire(5, OperationOutcome.GRANTED)
            .cancel(5, OperationOutcome.SETTLED)
            .end()
            .audit(25);

    assertThat(audit.findings())
        .extracting(LedgerMismatch::kind)
        .containsExactly(LedgerMismatch.Kind.TWICE);
  }

  @Test
  void audit_refusedButCharged_isFound() {
    Audit audit = spent(20).acquire(5, OperationOutcome.REFUSED).end().audit(25);

    assertThat(audit.findings())
        .extracting(LedgerMismatch::kind)
        .containsExactly(LedgerMismatch.Kind.TWICE);
  }

  @Test
  void audit_bucketGone_isFound() {
    assertThat(spent(20).end().auditWithoutBucket().findings())
        .containsExactly(
            LedgerMismatch.of(LedgerMismatch.Kind.MISSING, Script.ACCOUNT, 0, "is gone"));
  }

  /** Consumed, and yet still there. */
  @Test
  void audit_tokensFromNowhere_areFound() {
    Audit audit = spent(20).end().audit(20, /* balanceTokens= */ 81);

    assertThat(audit.findings())
        .containsExactly(
            LedgerMismatch.of(
                LedgerMismatch.Kind.MINTED,
                Script.ACCOUNT,
                1_000,
                "balance and consumption grew by more than was earned in 0 ms"));
  }

  @Test
  void audit_balanceAboveTheCeiling_isFound() {
    Audit audit =
        spent(20).cancel(20, OperationOutcome.SETTLED).end().audit(0, /* balanceTokens= */ 101);

    assertThat(audit.findings())
        .extracting(LedgerMismatch::kind)
        .containsExactly(LedgerMismatch.Kind.ABOVE_CEILING, LedgerMismatch.Kind.MINTED);
  }

  @Test
  void audit_moreAtOnceThanTheBurst_isFound() {
    Audit audit = spent(60).acquire(60, OperationOutcome.GRANTED).end().audit(120);

    assertThat(audit.findings())
        .extracting(LedgerMismatch::kind)
        .containsExactly(LedgerMismatch.Kind.BURST);
    assertThat(audit.findings().get(0).fromMs()).isEqualTo(Script.OPENED_MS);
  }
}
