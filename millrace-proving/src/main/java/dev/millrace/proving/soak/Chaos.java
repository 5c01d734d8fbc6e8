package dev.millrace.proving.soak;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Who is killed when. Of every so many kills in a row exactly one is the database's, so that also a
 * short run has one; which one is chance.
 */
final class Chaos {
  /** Stands for the database among the workers' indexes. */
  static final int DATABASE = -1;

  private static final long MOST_WORKER_DOWN_MS = 1_000;
  private static final long MOST_DATABASE_DOWN_MS = 2_000;

  private final SplittableRandom random;
  private final int processes;
  private final long everyMs;
  private final int databaseEvery;
  private int inRow;
  private int databaseAt;

  Chaos(long seed, int processes, Duration every, int databaseEvery) {
    this.random = new SplittableRandom(seed);
    this.processes = processes;
    this.everyMs = every.toMillis();
    this.databaseEvery = databaseEvery;
  }

  /**
   * One kill.
   *
   * @param afterMs how long after the last one
   * @param target the index of a worker, or {@link #DATABASE}
   * @param downMs how long until it is started again
   */
  record Strike(long afterMs, int target, long downMs) {
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
    return database
        ? new Strike(afterMs, DATABASE, random.nextLong(MOST_DATABASE_DOWN_MS))
        : new Strike(afterMs, random.nextInt(processes), random.nextLong(MOST_WORKER_DOWN_MS));
  }
}
