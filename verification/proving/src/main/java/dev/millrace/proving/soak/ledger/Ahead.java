package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.journal.AccountAmount;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Most tokens that a process can have held ahead of their use, from what it asked for.
 *
 * <p>A lot is as large as the demand of one horizon, measured over a quarter of it or longer. A
 * time that is longer than half a horizon can be cut into pieces of a quarter to a half, so no
 * measurement exceeds what was asked for in the busiest half, taken for a quarter: four times that
 * for a lot. Twice for the lot that is being given back while the next one is there.
 */
final class Ahead {
  private static final int LOTS = 2;
  private static final int QUARTERS = 4;

  private Ahead() {}

  static Map<Account, Long> mostMilli(List<JournalOperation> operations, long horizonMs) {
    Map<Account, Window> windows = new HashMap<>();
    for (JournalOperation operation : operations) {
      if (operation.isAcquire()) {
        for (AccountAmount posting : operation.intent().postings()) {
          windows
              .computeIfAbsent(posting.account(), unused -> new Window(horizonMs / 2))
              .add(operation.begunMs(), posting.milli());
        }
      }
    }
    Map<Account, Long> most = new HashMap<>();
    windows.forEach((account, window) -> most.put(account, LOTS * QUARTERS * window.mostMilli));
    return most;
  }

  /** The greatest sum within any time of one length. */
  private static final class Window {
    private final long lengthMs;
    private final Deque<long[]> asked = new ArrayDeque<>();
    private long sumMilli;
    private long mostMilli;

    Window(long lengthMs) {
      this.lengthMs = lengthMs;
    }

    void add(long atMs, long milli) {
      asked.addLast(new long[] {atMs, milli});
      sumMilli += milli;
      while (asked.getFirst()[0] < atMs - lengthMs) { // ends: the last one is not older
        sumMilli -= asked.removeFirst()[1];
      }
      mostMilli = Math.max(mostMilli, sumMilli);
    }
  }
}
