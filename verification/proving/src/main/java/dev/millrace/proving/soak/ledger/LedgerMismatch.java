package dev.millrace.proving.soak.ledger;

import dev.millrace.Limit;
import dev.millrace.proving.soak.journal.Account;
import org.jspecify.annotations.Nullable;

/**
 * Something that must not be.
 *
 * @param account which limit of which bucket, null when it concerns none
 * @param offMilli by how much, 0 when it is not a matter of amounts
 * @param fromMs where to look in the journals, 0 for anywhere
 * @param toMs where to look no further
 */
public record LedgerMismatch(
    Kind kind, @Nullable Account account, String text, long offMilli, long fromMs, long toMs) {
  /** The sorts. */
  public enum Kind {
    /** Less was counted than was surely charged: a charge was lost, or a refund made twice. */
    LOST,
    /** More was counted than may have been charged: a charge was made twice, or by nobody. */
    TWICE,
    /** The bucket is gone. */
    MISSING,
    /** The balance is above the ceiling. */
    ABOVE_CEILING,
    /** More came out of the bucket than was ever put in. */
    MINTED,
    /** In some interval more was admitted than is promised. */
    BURST,
    /** Something was thrown that nobody should ever see. */
    ODDITY,
    /** A process ended by itself, or would not end. */
    PROCESS
  }

  static LedgerMismatch of(Kind kind, Account account, long offMilli, String text) {
    return new LedgerMismatch(kind, account, text, offMilli, 0, 0);
  }

  /** A finding about no account. */
  public static LedgerMismatch of(Kind kind, String text) {
    return new LedgerMismatch(kind, null, text, 0, 0, 0);
  }

  @Override
  public String toString() {
    String what = account == null ? "" : " " + account;
    String off = offMilli == 0 ? "" : " by " + Limit.tokens(offMilli);
    return kind + what + off + ": " + text;
  }
}
