package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.OperationOutcome;
import java.util.EnumMap;
import java.util.Map;

/** How many operations there were and what they were told. */
public final class OperationCounts {
  private final Map<OperationOutcome, Long> byVerdict = new EnumMap<>(OperationOutcome.class);
  private long acquires;
  private long settlements;
  private long unanswered;

  void add(JournalOperation operation) {
    if (operation.isAcquire()) {
      acquires++;
    } else {
      settlements++;
    }
    OperationOutcome verdict = operation.verdict();
    if (verdict == null) {
      unanswered++;
    } else {
      byVerdict.merge(verdict, 1L, Long::sum);
    }
  }

  /** Requests to charge. */
  public long acquires() {
    return acquires;
  }

  /** Requests to settle a difference, or to give everything back. */
  public long settlements() {
    return settlements;
  }

  /** Those that a kill cut short. */
  public long unanswered() {
    return unanswered;
  }

  /** Those that were told so. */
  public long of(OperationOutcome verdict) {
    return byVerdict.getOrDefault(verdict, 0L);
  }
}
