package dev.millrace.regions;

import java.util.random.RandomGenerator;

/** Random faults between any two calls of a process, from a seed. */
final class RandomFaults {
  /** The process dies. What it had in memory is lost; what it sent may arrive. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash", null, false, false);
    }
  }

  private static final int OF = 1_000;

  private final RandomGenerator random;
  private final Runnable between;
  private boolean over;

  /** With something else that happens now and then, such as traffic. */
  RandomFaults(RandomGenerator random, Runnable between) {
    this.random = random;
    this.between = between;
  }

  /** From now on nothing happens any more. */
  void end() {
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** Whether something happens that does so {@code often} times in a thousand. */
  boolean happens(int often) {
    return !over && random.nextInt(OF) < often;
  }

  /** Between two calls. */
  void pass() {
    if (!over) {
      between.run();
    }
    crash();
  }

  void crash() {
    if (happens(12)) {
      throw new Crash();
    }
  }
}
