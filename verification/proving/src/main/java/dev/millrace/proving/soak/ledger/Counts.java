package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.Verdict;
import java.util.EnumMap;
import java.util.Map;

/** The number of operations by their answers. */
public final class Counts {
  private final Map<Verdict, Long> byVerdict = new EnumMap<>(Verdict.class);
  private long acquires;
  private long settlements;
  private long unanswered;

  void add(Operation operation) {
    if (operation.isAcquire()) {
      acquires++;
    } else {
      settlements++;
    }
    Verdict verdict = operation.verdict();
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
  public long of(Verdict verdict) {
    return byVerdict.getOrDefault(verdict, 0L);
  }
}
