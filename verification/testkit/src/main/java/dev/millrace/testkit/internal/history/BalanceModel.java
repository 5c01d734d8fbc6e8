package dev.millrace.testkit.internal.history;

/**
 * The balance of one limit that nobody consumes and that never fills up: exact integers, computed
 * the short way, without the arithmetic of the code under test.
 *
 * @param name the limit
 * @param balanceMilli the balance at {@code sinceMs}
 * @param sinceMs up to when credit is in the balance
 * @param refillMilli how much returns
 * @param periodMs in which time
 */
public record BalanceModel(
    String name, long balanceMilli, long sinceMs, long refillMilli, long periodMs) {
  /** The balance at {@code atMs}; what was earned before is not earned again. */
  public long atMs(long atMs) {
    return atMs <= sinceMs ? balanceMilli : balanceMilli + earned(atMs) - earned(sinceMs);
  }

  /** Rounded down; a time and a refill that do not fit 64 bits are a mistake of the test. */
  private long earned(long ms) {
    return Math.floorDiv(Math.multiplyExact(ms, refillMilli), periodMs);
  }
}
