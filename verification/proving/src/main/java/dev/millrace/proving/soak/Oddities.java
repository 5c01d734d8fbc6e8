package dev.millrace.proving.soak;

import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.journal.JournalLine;
import dev.millrace.proving.soak.ledger.LedgerMismatch;
import java.util.List;

/** The answers that the limiter promises never to give. */
final class Oddities {
  /** Most that one journal contributes: the first ones tell enough. */
  private static final int MOST = 5;

  private Oddities() {}

  static List<LedgerMismatch> in(Journal journal) {
    return journal.lines().stream()
        .filter(JournalLine.Oddity.class::isInstance)
        .limit(MOST)
        .map(
            line ->
                LedgerMismatch.of(LedgerMismatch.Kind.ODDITY, journal.header().name() + " " + line))
        .toList();
  }
}
