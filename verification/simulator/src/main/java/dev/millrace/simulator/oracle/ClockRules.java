package dev.millrace.simulator.oracle;

/**
 * How the refill timestamp may move: on, never ahead of what the writer took for the time, and back
 * only to heal. By one millisecond it may always move on, so that whoever holds the lock notices a
 * change of limits, stamp or balances; and with such a change it must move.
 */
final class ClockRules {
  private ClockRules() {}

  /** Checks the timestamp of a new bucket: what its writer took for the time. */
  static void checkCreated(Change change) {
    requireNow(change, "a bucket is made with refill timestamp ");
  }

  /**
   * Checks the timestamp of a bucket that stays.
   *
   * @param locks whether limits, stamp or balances change in a way that must move the lock
   */
  static void checkKept(Change change, boolean locks) {
    long aheadMs = change.toMs - change.write.writerMs();
    if (change.heals()) {
      if (change.fromMs - change.toMs <= change.settings.maxSkewMs()) {
        throw change.broken(
            Promise.EXACT_REFILL,
            "refill timestamp goes back by " + (change.fromMs - change.toMs) + " ms");
      }
      requireNow(change, "a wild refill timestamp is healed to ");
    } else if (!change.moves()) {
      if (locks) {
        throw change.broken(
            Promise.EXACT_REFILL, "limits, stamp or balances change and the lock does not move");
      }
    } else if (aheadMs > 0 && !((locks || change.lockRepeated) && isNext(change))) {
      throw change.broken(
          Promise.EXACT_REFILL,
          "time is claimed that is " + aheadMs + " ms ahead of the writer's own");
    }
  }

  private static boolean isNext(Change change) {
    return change.toMs == change.fromMs + 1;
  }

  private static void requireNow(Change change, String what) {
    long lateMs = change.write.writerMs() - change.toMs;
    long mostMs = change.write.alone() ? Change.ROUNDING_MS : change.settings.resendMs();
    if (lateMs < 0 || lateMs > mostMs) {
      throw change.broken(
          Promise.EXACT_REFILL, what + change.toMs + ", by the writer's time " + -lateMs + " ms");
    }
  }
}
