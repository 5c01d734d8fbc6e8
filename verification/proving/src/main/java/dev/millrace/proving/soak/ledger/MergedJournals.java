package dev.millrace.proving.soak.ledger;

import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.journal.AccountAmount;
import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.journal.JournalHeader;
import dev.millrace.proving.soak.journal.JournalLine;
import dev.millrace.proving.soak.journal.OperationOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All journals merged: for each account what was charged, and what nobody can know.
 *
 * <p>Not known is what {@code docs/design/consistency.md} leaves open, and nothing else:
 *
 * <ul>
 *   <li>An acquire without an answer, because its process was killed, or with the answer that it
 *       may be charged: once or not at all.
 *   <li>A settlement in doubt ({@link SettlementDoubts}). A refund is made once or not at all. A
 *       charge may have been lost, and may have been made twice, since it is sent again.
 *   <li>A lease that was granted while the store was away: any part of it, but never less than
 *       nothing, because what was not charged is not given back. And surely nothing for a bucket
 *       that the process has sent no write to meanwhile ({@link Writes}).
 *   <li>A refused request whose charges were being given back when there was trouble.
 *   <li>What was charged ahead by a process that was killed, or whose giving back failed.
 *   <li>A transaction that was under way when the database was killed, whatever was told. It is
 *       sent again under the same token, and DynamoDB Local may have kept the token of one that its
 *       death cut short: then it answers that it was made, and it was not.
 * </ul>
 */
public final class MergedJournals {
  private final SortedMap<Account, Book> books = new TreeMap<>();
  private final List<Long> databaseKillsMs;
  private final OperationCounts counts = new OperationCounts();

  /** Empty books of a run in which the database was killed at these times. */
  public MergedJournals(List<Long> databaseKillsMs) {
    this.databaseKillsMs = List.copyOf(databaseKillsMs);
  }

  /** The accounts and their books, in order. */
  SortedMap<Account, Book> all() {
    return books;
  }

  /** How many of what there was. */
  public OperationCounts counts() {
    return counts;
  }

  /** Takes in one journal. */
  public void add(Journal journal) {
    new Entry(journal).add();
  }

  private Book book(Account account) {
    return books.computeIfAbsent(account, unused -> new Book());
  }

  /** One journal on its way into the books. */
  private final class Entry {
    private final Journal journal;
    private final JournalHeader header;
    private final SettlementDoubts troubles;
    private final Writes writes;
    private final Set<Long> degraded = new HashSet<>();
    private final Map<Long, Map<Account, ChargeBounds>> leases = new HashMap<>();

    Entry(Journal journal) {
      this.journal = journal;
      this.header = journal.header();
      this.troubles = SettlementDoubts.of(journal);
      this.writes = Writes.of(journal);
    }

    void add() {
      List<JournalOperation> operations = JournalOperation.of(journal);
      for (JournalOperation operation : operations) {
        if (operation.verdict() == OperationOutcome.DEGRADED) {
          degraded.add(operation.intent().lease());
        }
      }
      for (JournalOperation operation : operations) {
        counts.add(operation);
        for (AccountAmount posting : operation.intent().postings()) {
          book(operation, posting);
        }
      }
      for (Map<Account, ChargeBounds> lease : leases.values()) {
        lease.forEach(
            (account, range) -> MergedJournals.this.book(account).add(range.notNegative()));
      }
      addAhead(operations);
    }

    private void book(JournalOperation operation, AccountAmount posting) {
      ChargeBounds range =
          operation.isAcquire() ? acquired(operation, posting) : settled(operation, posting);
      leases
          .computeIfAbsent(operation.intent().lease(), unused -> new HashMap<>())
          .merge(posting.account(), range, ChargeBounds::plus);
      Book book = MergedJournals.this.book(posting.account());
      book.writtenWithGrain(header.grainMs());
      if (posting.milli() < 0) {
        book.admissions().add(operation.begunMs(), latestMs(operation), posting.milli());
      } else if (operation.verdict() == OperationOutcome.GRANTED) {
        book.admissions().add(operation.begunMs(), operation.endedMs(), posting.milli());
      }
    }

    /** When a refund was written at the latest. */
    private long latestMs(JournalOperation operation) {
      return operation.result() == null
          ? journal.lastMs() + header.settleWithinMs()
          : operation.endedMs() + (header.deferred() ? header.settleWithinMs() : 0);
    }

    private ChargeBounds acquired(JournalOperation operation, AccountAmount posting) {
      long milli = posting.milli();
      OperationOutcome verdict = operation.verdict();
      ChargeBounds told =
          verdict == null
              ? ChargeBounds.perhaps(milli)
              : switch (verdict) {
                case GRANTED ->
                    isCutTransaction(operation)
                        ? ChargeBounds.perhaps(milli)
                        : ChargeBounds.exactly(milli);
                case DEGRADED ->
                    writes.mayCarry(operation, posting.account().bucket())
                        ? ChargeBounds.perhaps(milli)
                        : ChargeBounds.NOTHING;
                case UNSURE -> ChargeBounds.perhaps(milli);
                case REFUSED, UNCHARGED -> ChargeBounds.NOTHING;
                case SETTLED, UNSETTLED ->
                    throw new IllegalArgumentException("told " + verdict + ": " + operation);
              };
      int back = troubles.givenBackDuring(operation);
      boolean inDoubt =
          back > 0 && troubles.touch(operation, posting.account().bucket(), /* later= */ true);
      return told.orMore(inDoubt ? Math.multiplyExact(milli, (long) back) : 0);
    }

    private boolean isCutTransaction(JournalOperation operation) {
      return header.transactional()
          && databaseKillsMs.stream()
              .anyMatch(ms -> operation.begunMs() <= ms && ms <= operation.endedMs());
    }

    private ChargeBounds settled(JournalOperation operation, AccountAmount posting) {
      long milli = posting.milli();
      boolean isDegraded = degraded.contains(operation.intent().lease());
      if (isDegraded && soFar(operation, posting).mostMilli() == 0) {
        return ChargeBounds.NOTHING; // a bucket that was not charged is not settled either
      }
      boolean sure =
          operation.verdict() == OperationOutcome.SETTLED
              && !isDegraded
              && !troubles.touch(operation, posting.account().bucket(), header.deferred());
      if (sure) {
        return ChargeBounds.exactly(milli);
      }
      return milli < 0 ? ChargeBounds.perhaps(milli) : ChargeBounds.perhaps(milli).orMore(milli);
    }

    private ChargeBounds soFar(JournalOperation operation, AccountAmount posting) {
      return leases
          .getOrDefault(operation.intent().lease(), Map.of())
          .getOrDefault(posting.account(), ChargeBounds.NOTHING);
    }

    private void addAhead(List<JournalOperation> operations) {
      if (header.aheadMs() == 0) {
        return;
      }
      Map<Account, Long> ahead = Ahead.mostMilli(operations, header.aheadMs());
      for (JournalLine line : journal.lines()) {
        if (line instanceof JournalLine.LostAnswer lost) {
          ahead.forEach(
              (account, milli) -> {
                if (account.bucket().equals(lost.bucket())) {
                  MergedJournals.this.book(account).addAhead(milli);
                }
              });
        } else if (line instanceof JournalLine.NotSettled failed) {
          for (AccountAmount posting : failed.postings()) {
            MergedJournals.this.book(posting.account()).addAhead(Math.max(0, -posting.milli()));
          }
        }
      }
      if (!journal.isComplete()) {
        ahead.forEach((account, milli) -> MergedJournals.this.book(account).addAhead(milli));
      }
    }
  }
}
