package dev.millrace.simulator;

import java.util.random.RandomGenerator;

/**
 * The random numbers of a process that is restored from a snapshot. Up to the snapshot they are the
 * same in every process that is restored from it, and so is what a limiter remembers of them; after
 * it they are those of the machine, as of a generator that reads from the operating system.
 */
final class SnapshotRandom implements RandomGenerator {
  private final RandomGenerator before;
  private final RandomGenerator after;
  private boolean restored;

  SnapshotRandom(RandomGenerator before, RandomGenerator after) {
    this.before = before;
    this.after = after;
  }

  /** The snapshot has been taken, and this process is one that was restored from it. */
  void restored() {
    restored = true;
  }

  @Override
  public long nextLong() {
    return restored ? after.nextLong() : before.nextLong();
  }
}
