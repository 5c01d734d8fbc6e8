package dev.millrace.proving.soak.ledger;

import dev.millrace.Limit;
import dev.millrace.Limit.Refill;
import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.proving.soak.journal.Account;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the books against the buckets.
 *
 * @param rows one for each account, in order
 * @param findings what must not be, none when all is well
 */
public record Audit(List<AccountRow> rows, List<LedgerMismatch> findings) {
  /** Keeps the lists as they are now. */
  public Audit {
    rows = List.copyOf(rows);
    findings = List.copyOf(findings);
  }

  /**
   * Checks every account of the books.
   *
   * @param opening the buckets by name as they were after their creation
   * @param closing the buckets as they are now
   */
  public static Audit of(
      MergedJournals books, Map<String, BucketState> opening, Map<String, BucketState> closing) {
    List<AccountRow> rows = new ArrayList<>();
    List<LedgerMismatch> findings = new ArrayList<>();
    books
        .all()
        .forEach(
            (account, book) -> {
              LimitState before = find(opening, account);
              LimitState after = find(closing, account);
              if (before == null || after == null) {
                findings.add(
                    LedgerMismatch.of(
                        LedgerMismatch.Kind.MISSING,
                        account,
                        0,
                        before == null ? "was not there at the beginning" : "is gone"));
                return;
              }
              long fromMs = state(opening, account).refilledAtMs();
              long toMs = state(closing, account).refilledAtMs();
              rows.add(new Check(account, book, before, after, findings).row(fromMs, toMs));
            });
    return new Audit(rows, findings);
  }

  private static @Nullable LimitState find(Map<String, BucketState> states, Account account) {
    BucketState state = states.get(account.bucket());
    return state == null ? null : state.find(account.limit());
  }

  private static BucketState state(Map<String, BucketState> states, Account account) {
    BucketState state = states.get(account.bucket());
    if (state == null) {
      throw new IllegalArgumentException("no bucket " + account.bucket());
    }
    return state;
  }

  /** One account under check. */
  private record Check(
      Account account,
      Book book,
      LimitState before,
      LimitState after,
      List<LedgerMismatch> findings) {

    AccountRow row(long fromMs, long toMs) {
      Limit limit = after.limit();
      ChargeBounds charged = book.charged();
      long counted = after.consumedMilli();
      if (counted < charged.leastMilli()) {
        find(
            LedgerMismatch.Kind.LOST,
            charged.leastMilli() - counted,
            "counted %s, and surely %s were charged"
                .formatted(tokens(counted), tokens(charged.leastMilli())));
      }
      if (counted > charged.mostMilli()) {
        find(
            LedgerMismatch.Kind.TWICE,
            counted - charged.mostMilli(),
            "counted %s, and at most %s were charged"
                .formatted(tokens(counted), tokens(charged.mostMilli())));
      }
      if (after.tokensMilli() > limit.burstMilli()) {
        find(
            LedgerMismatch.Kind.ABOVE_CEILING,
            after.tokensMilli() - limit.burstMilli(),
            "holds %s of %s".formatted(tokens(after.tokensMilli()), tokens(limit.burstMilli())));
      }
      long clipped = clippedMilli(fromMs, toMs);
      if (clipped < 0) {
        find(
            LedgerMismatch.Kind.MINTED,
            -clipped,
            "balance and consumption grew by more than was earned in %d ms"
                .formatted(toMs - fromMs));
      }
      BurstCheck.Worst worst = BurstCheck.of(book.admissions(), limit, book.grainMs());
      if (worst.excessMilli() > 0) {
        findings.add(
            new LedgerMismatch(
                LedgerMismatch.Kind.BURST,
                account,
                "from %d for %d ms more was admitted than the limit allows"
                    .formatted(worst.fromMs(), worst.toMs() - worst.fromMs()),
                worst.excessMilli(),
                worst.fromMs(),
                worst.toMs()));
      }
      return new AccountRow(
          account,
          counted,
          charged.leastMilli(),
          charged.mostMilli(),
          after.tokensMilli(),
          clipped,
          -worst.excessMilli());
    }

    /**
     * What was earned and is neither there nor consumed: exact, and never negative. A write moves
     * tokens from the balance to what is consumed or back; only the credit of time adds to the sum,
     * and only the ceiling takes from it.
     */
    private long clippedMilli(long fromMs, long toMs) {
      long earned =
          cumulative(after.limit().refill(), toMs)
              .subtract(cumulative(after.limit().refill(), fromMs))
              .longValueExact();
      long sumBefore = before.tokensMilli() + before.consumedMilli();
      long sumAfter = after.tokensMilli() + after.consumedMilli();
      return sumBefore + earned - sumAfter;
    }

    /** {@code C(t)}, written down here once more, independently of the code under test. */
    private static BigInteger cumulative(Refill refill, long ms) {
      return BigInteger.valueOf(ms)
          .multiply(BigInteger.valueOf(refill.amountMilli()))
          .divide(BigInteger.valueOf(refill.periodMs()));
    }

    private void find(LedgerMismatch.Kind kind, long offMilli, String text) {
      findings.add(LedgerMismatch.of(kind, account, offMilli, text));
    }

    private static String tokens(long milli) {
      return Limit.tokens(milli);
    }
  }
}
