package dev.millrace.simulator.oracle;

/**
 * The refill timestamps that a shard had lately, each with the level, by age of the shard. An age
 * ends when the timestamp goes back, because it is healed or because the shard is taken away, and
 * when the level changes; within one each timestamp is there once.
 *
 * <p>Timestamp and level are the lock, so a write that was planned in an earlier age passes it when
 * the timestamp happens to be the same again: made anew or healed twice in one millisecond, or
 * split and merged again. Such a write rests on balances and limits of another age, and nobody can
 * say what it had to credit.
 */
final class UsedLocks {
  /** So many claims ago no write was planned that is still under way. */
  private static final int MAX_LOCKS = 64;

  private final long[] locks = new long[MAX_LOCKS];
  private final int[] levels = new int[MAX_LOCKS];
  private final int[] ages = new int[MAX_LOCKS];
  private int count;
  private int age;

  /** Timestamp and level are these from now on. */
  void add(long lockMs, int level) {
    locks[count % MAX_LOCKS] = lockMs;
    levels[count % MAX_LOCKS] = level;
    ages[count % MAX_LOCKS] = age;
    count = count + 1 == 2 * MAX_LOCKS ? MAX_LOCKS : count + 1;
  }

  void endAge() {
    age++;
  }

  /** Whether the lock was there before in an earlier age. */
  boolean isRepeated(long lockMs, int level) {
    for (int i = 0; age > 0 && i < Math.min(count, MAX_LOCKS); i++) {
      if (locks[i] == lockMs && levels[i] == level && ages[i] != age) {
        return true;
      }
    }
    return false;
  }
}
