package dev.millrace.simulator.oracle;

/**
 * The permitted changes of the refill timestamp: on, never ahead of what its writer took for the
 * time, or of true time as far as it was before, and back only to heal. By one millisecond it may
 * always move on, so that whoever holds the lock notices a change of limits, stamp or balances; and
 * with such a change it must move.
 */
final class ClockRules {
  /** Clocks drift apart by less than that while one follows the other. */
  private static final long DRIFT_MICROS = 999;

  private ClockRules() {}

  /** Checks the timestamp of a new bucket: what its writer took for the time. */
  static void checkCreated(Change change) {
    requireNow(change, Long.MIN_VALUE, "a bucket is made with refill timestamp ");
  }

  /**
   * Checks the timestamp of a bucket that stays.
   *
   * @param locks whether limits, stamp or balances change in a way that must move the lock
   * @param mostAheadMicros how far the timestamp was ever ahead of true time
   */
  static void checkKept(Change change, boolean locks, long mostAheadMicros) {
    long aheadMs = change.toMs - change.write.writerMs();
    if (change.heals()) {
      if (change.fromMs - change.toMs <= change.settings.maxSkewMs()) {
        throw change.broken(
            Promise.EXACT_REFILL,
            "refill timestamp goes back by " + (change.fromMs - change.toMs) + " ms");
      }
      requireNow(change, mostAheadMicros, "a wild refill timestamp is healed to ");
    } else if (!change.moves()) {
      if (locks) {
        throw change.broken(
            Promise.EXACT_REFILL, "limits, stamp or balances change and the lock does not move");
      }
    } else if (aheadMs > 0
        && change.claimAheadMicros() > mostAheadMicros + DRIFT_MICROS
        && !((locks || change.lockRepeated) && isNext(change))) {
      throw change.broken(
          Promise.EXACT_REFILL,
          "time is claimed that is " + aheadMs + " ms ahead of the writer's own");
    }
  }

  private static boolean isNext(Change change) {
    return change.toMs == change.fromMs + 1;
  }

  private static void requireNow(Change change, long mostAheadMicros, String what) {
    long lateMs = change.write.writerMs() - change.toMs;
    long mostMs = change.write.alone() ? Change.ROUNDING_MS : change.settings.resendMs();
    boolean ahead = lateMs < 0 && change.claimAheadMicros() > mostAheadMicros;
    if (ahead || lateMs > mostMs) {
      throw change.broken(
          Promise.EXACT_REFILL, what + change.toMs + ", by the writer's time " + -lateMs + " ms");
    }
  }
}
