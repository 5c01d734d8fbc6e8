package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.AccountAmount;
import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.journal.JournalLine;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times at which a process did not know the outcome of its settlements: an answer was lost, a
 * settlement failed, or the process died. A settlement is in doubt when one of these came after it
 * was asked for and before it was surely written.
 */
final class SettlementDoubts {
  /**
   * One moment.
   *
   * @param index where in the journal
   * @param bucket which bucket, null for all
   */
  private record Trouble(int index, long atMs, @Nullable String bucket) {}

  private final List<Trouble> troubles = new ArrayList<>();
  private final List<Integer> givenBack = new ArrayList<>();
  private final List<String> givenBackOf = new ArrayList<>();
  private final long settleWithinMs;

  private SettlementDoubts(long settleWithinMs) {
    this.settleWithinMs = settleWithinMs;
  }

  static SettlementDoubts of(Journal journal) {
    SettlementDoubts found = new SettlementDoubts(journal.header().settleWithinMs());
    for (int i = 0; i < journal.lines().size(); i++) {
      JournalLine line = journal.lines().get(i);
      if (line instanceof JournalLine.LostAnswer lost) {
        found.troubles.add(new Trouble(i, lost.atMs(), lost.bucket()));
      } else if (line instanceof JournalLine.NotSettled failed) {
        for (AccountAmount posting : failed.postings()) {
          found.troubles.add(new Trouble(i, failed.atMs(), posting.account().bucket()));
        }
      } else if (line instanceof JournalLine.GivenBack back) {
        found.givenBack.add(i);
        found.givenBackOf.add(back.bucket());
      }
    }
    if (!journal.isComplete()) {
      found.troubles.add(new Trouble(journal.lines().size(), journal.lastMs(), null));
    }
    return found;
  }

  /**
   * Whether what {@code operation} wrote into {@code bucket} is in doubt.
   *
   * @param later whether it may be written after the caller was told
   */
  boolean touch(JournalOperation operation, String bucket, boolean later) {
    for (int i = firstAfter(operation.begun()); i < troubles.size(); i++) {
      Trouble trouble = troubles.get(i);
      boolean during = trouble.index() < operation.ended();
      boolean soonAfter = later && trouble.atMs() - operation.endedMs() <= settleWithinMs;
      if (!during && !soonAfter) {
        return false; // they are in order of time: all others are later still
      }
      if (trouble.bucket() == null || trouble.bucket().equals(bucket)) {
        return true;
      }
    }
    return false;
  }

  private int firstAfter(int index) {
    int low = 0;
    int high = troubles.size();
    while (low < high) { // ends: the gap halves
      int middle = (low + high) >>> 1;
      if (troubles.get(middle).index() > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** How many requests were being given back while {@code operation} was under way. */
  int givenBackDuring(JournalOperation operation) {
    int count = 0;
    int from = java.util.Collections.binarySearch(givenBack, operation.begun());
    for (int i = from < 0 ? -from - 1 : from; i < givenBack.size(); i++) {
      if (givenBack.get(i) > operation.ended()) {
        return count;
      }
      if (concerns(operation, givenBackOf.get(i))) {
        count++;
      }
    }
    return count;
  }

  private static boolean concerns(JournalOperation operation, String bucket) {
    for (AccountAmount posting : operation.intent().postings()) {
      if (posting.account().bucket().equals(bucket)) {
        return true;
      }
    }
    return false;
  }
}
