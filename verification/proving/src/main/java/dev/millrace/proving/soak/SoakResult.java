package dev.millrace.proving.soak;

import dev.millrace.proving.soak.ledger.AccountRow;
import dev.millrace.proving.soak.ledger.LedgerMismatch;
import dev.millrace.proving.soak.ledger.OperationCounts;
import java.time.Duration;
import java.util.List;

/**
 * The result of a soak.
 *
 * @param cuts answers of the database that were cut off
 * @param journals how many journals were merged
 * @param lostWrites writes that the database had acknowledged and lost
 */
record SoakResult(
    SoakSettings settings,
    Duration elapsed,
    Kills kills,
    long cuts,
    int journals,
    OperationCounts counts,
    List<AccountRow> rows,
    List<LedgerMismatch> findings,
    long lostWrites) {
  /** Whether the books and the buckets agree. */
  boolean isBalanced() {
    return findings.isEmpty();
  }

  /** Whether the database kept what it acknowledged; otherwise the books say nothing. */
  boolean isJudged() {
    return lostWrites == 0;
  }

  /** All that was charged for sure. */
  long leastMilli() {
    return rows.stream().mapToLong(AccountRow::leastMilli).sum();
  }

  /** All that nobody can know. */
  long unknownMilli() {
    return rows.stream().mapToLong(row -> row.mostMilli() - row.leastMilli()).sum();
  }
}
