package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.journal.JournalLine;
import dev.millrace.proving.soak.journal.OperationOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One operation with both of its lines.
 *
 * @param begun the index of the intent among the lines
 * @param ended the index of the answer, {@link #NEVER} when there is none
 * @param result the answer, null when the process died before it was written
 */
record JournalOperation(
    JournalLine.Intent intent, int begun, int ended, JournalLine.@Nullable Result result) {
  static final int NEVER = Integer.MAX_VALUE;

  /** All operations of a journal in the order of their beginnings. */
  static List<JournalOperation> of(Journal journal) {
    Map<Long, Integer> endings = new HashMap<>();
    for (int i = 0; i < journal.lines().size(); i++) {
      if (journal.lines().get(i) instanceof JournalLine.Result result) {
        endings.put(result.op(), i);
      }
    }
    List<JournalOperation> operations = new ArrayList<>();
    for (int i = 0; i < journal.lines().size(); i++) {
      if (journal.lines().get(i) instanceof JournalLine.Intent intent) {
        int end = endings.getOrDefault(intent.op(), NEVER);
        JournalLine.Result result =
            end == NEVER ? null : (JournalLine.Result) journal.lines().get(end);
        operations.add(new JournalOperation(intent, i, end, result));
      }
    }
    return operations;
  }

  boolean isAcquire() {
    return intent.kind() == JournalLine.Kind.ACQUIRE;
  }

  /** What the caller was told, null when it died before. */
  @Nullable OperationOutcome verdict() {
    return result == null ? null : result.verdict();
  }

  long begunMs() {
    return intent.atMs();
  }

  /** When the caller was told; at the end of all when it never was. */
  long endedMs() {
    return result == null ? Long.MAX_VALUE : result.atMs();
  }
}
