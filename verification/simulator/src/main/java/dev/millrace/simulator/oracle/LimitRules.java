package dev.millrace.simulator.oracle;

import dev.millrace.core.spi.bucket.BucketState.LimitState;
import dev.millrace.core.spi.config.ConfigLevel;

/**
 * The permitted changes of the balance of one limit in one shard (P2 and P3). An undivided bucket
 * is one shard.
 *
 * <p>What was credited is the change of the balance and of the total together. It is exactly what
 * the time since the last claim has earned, unless the ceiling is in the way. What is cut off there
 * was reckoned from the balance that the writer had seen, so it is judged by all balances that it
 * can have seen under this lock:
 *
 * <ul>
 *   <li>Never more than was earned, nor more than what the lowest of them leaves room for.
 *   <li>Never less than was earned, or than what fills the highest of them: who writes beside
 *       others gives up what they took meanwhile.
 *   <li>Refunds in the same write count only up to the ceiling.
 * </ul>
 *
 * <p>An operator may fill a bucket, and charges nothing.
 */
final class LimitRules {
  /** Balances beyond that would not be reckoned exactly. */
  private static final long MOST_MILLI = 1L << 60;

  private LimitRules() {}

  /** Checks a limit that stays. Returns whether it may have got tokens that it did not earn. */
  static boolean checkKept(Change change, LimitBook book, LimitState before, LimitState after) {
    requireReckonable(before);
    requireReckonable(after);
    long chargeMilli = after.consumedMilli() - before.consumedMilli();
    long creditedMilli = after.tokensMilli() - before.tokensMilli() + chargeMilli;
    checkCharge(change, book, chargeMilli);
    checkDebt(change, book, before.tokensMilli(), after, chargeMilli);
    if (!change.moves() && creditedMilli == 0) {
      return false;
    }
    return checkCredit(change, book, before, after, creditedMilli);
  }

  /** Checks what a claim has credited. Returns whether it is more than was earned. */
  static boolean checkCredit(
      Change change, LimitBook book, LimitState before, LimitState after, long creditedMilli) {
    if (change.lockRepeated) {
      return true;
    }
    long earnedMilli = earnedMilli(change, book);
    long oldBurstMilli = change.rest.of(before.limit().burstMilli());
    long newBurstMilli = change.rest.of(after.limit().burstMilli());
    long burstMilli = Math.min(oldBurstMilli, newBurstMilli);
    if (creditedMilli == earnedMilli && before.tokensMilli() + earnedMilli <= burstMilli) {
      return false;
    }
    long mostMilli = Math.min(earnedMilli, burstMilli - book.leastSeenMilli());
    if (mayLift(change, before, after)) {
      mostMilli = Math.max(0, oldBurstMilli - book.leastSeenMilli());
    }
    if (creditedMilli > mostMilli) {
      throw wrong(change, after, "credited " + creditedMilli + ", more than " + mostMilli);
    }
    long refundMilli = change.givenBackMilli(book.name, book.chargedMilli());
    long roomMilli = Math.min(oldBurstMilli, newBurstMilli - refundMilli) - book.mostSeenMilli();
    long leastMilli = Math.min(earnedMilli, roomMilli);
    if (creditedMilli < leastMilli) {
      throw wrong(change, after, "credited " + creditedMilli + ", less than " + leastMilli);
    }
    return creditedMilli > earnedMilli;
  }

  private static long earnedMilli(Change change, LimitBook book) {
    return change.rest.creditMilli(book.rate(), change.fromMs, change.toMs);
  }

  private static boolean mayLift(Change change, LimitState before, LimitState after) {
    return change.byOperator() && !change.changesStamp() && before.limit().equals(after.limit());
  }

  /** Checks a limit that the bucket did not have: it starts full, less what is taken at once. */
  static void checkAdded(Change change, LimitBook book, LimitState after) {
    requireReckonable(after);
    long chargeMilli = after.consumedMilli();
    long startMilli = after.tokensMilli() + chargeMilli;
    checkCharge(change, book, chargeMilli);
    checkDebt(change, book, /* beforeMilli= */ 0, after, chargeMilli);
    long burstMilli = change.rest.of(after.limit().burstMilli());
    long refundMilli = change.givenBackMilli(book.name, book.chargedMilli());
    if (startMilli > burstMilli || startMilli < burstMilli - refundMilli) {
      throw wrong(change, after, "starts with " + startMilli + ", not with " + burstMilli);
    }
  }

  /**
   * Checks a limit that goes. It would come back full, so it must be full, unless it was deleted:
   * then what holds for the bucket is stored somewhere.
   */
  static void checkRemoved(Change change, LimitBook book, LimitState before) {
    if (change.after.stamp().level() != ConfigLevel.CALL || change.lockRepeated) {
      return;
    }
    long earnedMilli = earnedMilli(change, book);
    long burstMilli = change.rest.of(before.limit().burstMilli());
    if (before.tokensMilli() + earnedMilli < burstMilli) {
      throw wrong(
          change, before, "goes with " + (before.tokensMilli() + earnedMilli) + ", before full");
    }
  }

  private static void checkCharge(Change change, LimitBook book, long chargeMilli) {
    if (change.byOperator() && chargeMilli != 0) {
      throw change.broken(
          Promise.NOTHING_LOST,
          "an operator's write charges " + chargeMilli + " of '" + book.name + "'");
    }
    if (change.after.stamp().disabled() && chargeMilli > change.uncheckedMilli(book.name)) {
      throw change.broken(
          Promise.CHANGES_ARRIVE,
          "a bucket that is switched off admits " + chargeMilli + " of '" + book.name + "'");
    }
  }

  /**
   * P3: no acquire leaves a balance below zero, whatever it is settled together with. What is
   * settled by itself may, and by no more than that.
   */
  private static void checkDebt(
      Change change, LimitBook book, long beforeMilli, LimitState after, long chargeMilli) {
    long afterMilli = after.tokensMilli();
    if (afterMilli >= 0
        || change.byOperator()
        || after.limit().soft()
        || book.isBelievedSoft(after.limit(), change.write.atMicros())) {
      return;
    }
    long uncheckedMilli = change.uncheckedMilli(book.name);
    if (chargeMilli > uncheckedMilli || afterMilli < Math.min(0, beforeMilli) - uncheckedMilli) {
      throw change.broken(
          Promise.NEVER_NEGATIVE,
          "'"
              + book.name
              + "' goes from "
              + beforeMilli
              + " to "
              + afterMilli
              + " by a charge of "
              + chargeMilli
              + ", of which "
              + uncheckedMilli
              + " unchecked");
    }
  }

  private static Violation wrong(Change change, LimitState limit, String what) {
    return change.broken(
        Promise.EXACT_REFILL,
        "'" + limit.name() + "' " + what + " (claimed " + (change.toMs - change.fromMs) + " ms)");
  }

  static void requireReckonable(LimitState state) {
    if (isBeyond(state.tokensMilli()) || isBeyond(state.consumedMilli())) {
      throw new IllegalArgumentException("too large to be checked: " + state);
    }
  }

  private static boolean isBeyond(long milli) {
    return milli > MOST_MILLI || milli < -MOST_MILLI;
  }
}
