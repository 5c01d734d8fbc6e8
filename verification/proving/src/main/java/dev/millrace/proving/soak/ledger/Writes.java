package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.journal.JournalLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The times at which a process sent writes that were made, or may have been. A caller that was told
 * to go on without the store was charged only if such a write left while it was being answered.
 */
final class Writes {
  /** Times are whole milliseconds, and those of sending are reckoned back. */
  private static final long INACCURACY_MS = 5;

  private final Map<String, List<Long>> sentMs = new HashMap<>();

  /** From here on the process may have died before it wrote down what it had sent. */
  private final long unknownFromMs;

  private Writes(long unknownFromMs) {
    this.unknownFromMs = unknownFromMs;
  }

  static Writes of(Journal journal) {
    Writes writes =
        new Writes(
            journal.isComplete()
                ? Long.MAX_VALUE
                : journal.lastMs() - journal.header().settleWithinMs());
    for (JournalLine line : journal.lines()) {
      if (line instanceof JournalLine.Written written) {
        writes
            .sentMs
            .computeIfAbsent(written.bucket(), unused -> new ArrayList<>())
            .add(written.sentMs());
      }
    }
    writes.sentMs.values().forEach(Collections::sort); // answers overtake each other
    return writes;
  }

  /** Whether a write of {@code bucket} may have carried what {@code operation} asked for. */
  boolean mayCarry(JournalOperation operation, String bucket) {
    if (operation.endedMs() >= unknownFromMs) {
      return true;
    }
    List<Long> sent = sentMs.getOrDefault(bucket, List.of());
    int found = Collections.binarySearch(sent, operation.begunMs() - INACCURACY_MS);
    int first = found >= 0 ? found : -found - 1;
    return first < sent.size() && sent.get(first) <= operation.endedMs() + INACCURACY_MS;
  }
}
