package dev.millrace.proving.soak.ledger;

import dev.millrace.BucketKey;
import dev.millrace.Limit;
import dev.millrace.LimitNotation;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.proving.soak.journal.Account;
import dev.millrace.proving.soak.journal.AccountAmount;
import dev.millrace.proving.soak.journal.Journal;
import dev.millrace.proving.soak.journal.JournalHeader;
import dev.millrace.proving.soak.journal.JournalLine;
import dev.millrace.proving.soak.journal.OperationOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A journal written by hand, one millisecond a line, and the audit of it. */
final class Script {
  static final Account ACCOUNT = new Account("key/api", "rps");
  static final Limit LIMIT = LimitNotation.parse("rps:1/sec:100");
  static final long OPENED_MS = 1_000_000;
  static final long SETTLE_WITHIN_MS = 50;

  private final List<JournalLine> lines = new ArrayList<>();
  private boolean deferred;
  private boolean transactional;
  private long aheadMs;
  private long nowMs = OPENED_MS;
  private long op;

  Script deferred() {
    deferred = true;
    return this;
  }

  Script transactional() {
    transactional = true;
    return this;
  }

  Script ahead(long ms) {
    aheadMs = ms;
    return this;
  }

  Script pass(long ms) {
    nowMs += ms;
    return this;
  }

  /** A lease with its answer, or without one. */
  Script acquire(long tokens, OperationOutcome... told) {
    op++;
    return intent(JournalLine.Kind.ACQUIRE, op, tokens, told);
  }

  /** The last lease. */
  Script settle(long tokens, OperationOutcome... told) {
    return intent(JournalLine.Kind.SETTLE, op, tokens, told);
  }

  /** The last lease. */
  Script cancel(long tokens, OperationOutcome... told) {
    return intent(JournalLine.Kind.CANCEL, op, -tokens, told);
  }

  private Script intent(JournalLine.Kind kind, long lease, long tokens, OperationOutcome... told) {
    long id = lines.size() + 1_000L;
    List<AccountAmount> postings = List.of(new AccountAmount(ACCOUNT, tokens * Limit.MILLI));
    lines.add(new JournalLine.Intent(nowMs++, id, kind, lease, postings));
    for (OperationOutcome verdict : told) {
      lines.add(new JournalLine.Result(nowMs++, id, verdict));
    }
    return this;
  }

  Script lostAnswer() {
    lines.add(new JournalLine.LostAnswer(nowMs++, ACCOUNT.bucket()));
    return this;
  }

  /** A write that was sent just now. */
  Script written() {
    lines.add(new JournalLine.Written(nowMs, ACCOUNT.bucket(), nowMs++));
    return this;
  }

  Script notSettled(long tokens) {
    lines.add(
        new JournalLine.NotSettled(
            nowMs++, List.of(new AccountAmount(ACCOUNT, tokens * Limit.MILLI))));
    return this;
  }

  Script givenBack() {
    lines.add(new JournalLine.GivenBack(nowMs++, ACCOUNT.bucket()));
    return this;
  }

  /** Puts the last line before the one before it: what happened while that was under way. */
  Script within() {
    JournalLine last = lines.remove(lines.size() - 1);
    lines.add(lines.size() - 1, last);
    return this;
  }

  /** Ends in good order. */
  Script end() {
    lines.add(new JournalLine.End(nowMs++));
    return this;
  }

  long nowMs() {
    return nowMs;
  }

  private Journal journal() {
    return new Journal(
        new JournalHeader("script", deferred, SETTLE_WITHIN_MS, 100, transactional, aheadMs),
        lines);
  }

  /** What the books say was charged, in whole tokens. */
  String charged(Long... databaseKillsMs) {
    MergedJournals books = books(databaseKillsMs);
    ChargeBounds range = Objects.requireNonNull(books.all().get(ACCOUNT)).charged();
    return Limit.tokens(range.leastMilli()) + ".." + Limit.tokens(range.mostMilli());
  }

  private MergedJournals books(Long... databaseKillsMs) {
    MergedJournals books = new MergedJournals(List.of(databaseKillsMs));
    books.add(journal());
    return books;
  }

  /** The audit when the bucket, full at first, has counted so much and holds what follows. */
  Audit audit(long countedTokens) {
    return audit(countedTokens, 100 - countedTokens);
  }

  /** The audit when the bucket has counted so much and holds so much. */
  Audit audit(long countedTokens, long balanceTokens) {
    return Audit.of(
        books(),
        Map.of("key/api", state(0, 100)),
        Map.of("key/api", state(countedTokens, balanceTokens)));
  }

  /** The audit when the bucket is gone. */
  Audit auditWithoutBucket() {
    return Audit.of(books(), Map.of("key/api", state(0, 100)), Map.of());
  }

  private static BucketState state(long countedTokens, long balanceTokens) {
    LimitState limit =
        new LimitState(LIMIT, balanceTokens * Limit.MILLI, countedTokens * Limit.MILLI);
    return new BucketState(
        BucketKey.first("default", "key", "api"), OPENED_MS, List.of(limit), 0, "op");
  }
}
