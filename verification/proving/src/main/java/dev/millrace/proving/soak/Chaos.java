package dev.millrace.proving.soak;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The schedule of kills and freezes. Of every so many strikes in a row exactly one is against the
 * database, so that also a short run has one; which one is chance. The database is killed and
 * frozen in turn.
 */
final class Chaos {
  /** Stands for the database among the workers' indexes. */
  static final int DATABASE = -1;

  private static final long MOST_WORKER_DOWN_MS = 1_000;
  private static final long MOST_DATABASE_DOWN_MS = 2_000;

  /** Longer than a limiter waits, so that neither a write nor the read after it is answered. */
  private static final long MOST_DATABASE_FROZEN_MS = 6_000;

  private final SplittableRandom random;
  private final int processes;
  private final long everyMs;
  private final int databaseEvery;
  private int inRow;
  private int databaseAt;
  private boolean freezeNext = true;

  Chaos(long seed, int processes, Duration every, int databaseEvery) {
    this.random = new SplittableRandom(seed);
    this.processes = processes;
    this.everyMs = every.toMillis();
    this.databaseEvery = databaseEvery;
  }

  /**
   * One kill or freeze.
   *
   * @param afterMs how long after the last one
   * @param target the index of a worker, or {@link #DATABASE}
   * @param downMs how long until it is started or goes on again
   * @param isFreeze whether it is stopped for a while instead of killed
   */
  record Strike(long afterMs, int target, long downMs, boolean isFreeze) {
    boolean isDatabase() {
      return target == DATABASE;
    }
  }

  Strike next() {
    if (databaseEvery > 0 && inRow % databaseEvery == 0) {
      databaseAt = inRow + random.nextInt(databaseEvery);
    }
    boolean database = databaseEvery > 0 && inRow == databaseAt;
    inRow++;
    long afterMs = everyMs / 2 + random.nextLong(everyMs + 1); // the mean is what was asked for
    if (!database) {
      return new Strike(
          afterMs, random.nextInt(processes), random.nextLong(MOST_WORKER_DOWN_MS), false);
    }
    boolean freeze = freezeNext;
    freezeNext = !freezeNext;
    long most = freeze ? MOST_DATABASE_FROZEN_MS : MOST_DATABASE_DOWN_MS;
    return new Strike(afterMs, DATABASE, random.nextLong(most), freeze);
  }
}
