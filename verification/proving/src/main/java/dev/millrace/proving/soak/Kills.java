package dev.millrace.proving.soak;

/**
 * The number of processes that were killed, and how often the database was frozen.
 *
 * @param freezes how often the database was stopped for a while
 */
public record Kills(int workers, int databases, int freezes) {
  static final Kills NONE = new Kills(0, 0, 0);

  Kills worker() {
    return new Kills(workers + 1, databases, freezes);
  }

  Kills database() {
    return new Kills(workers, databases + 1, freezes);
  }

  Kills freeze() {
    return new Kills(workers, databases, freezes + 1);
  }

  /** All processes that were killed. */
  public int all() {
    return workers + databases;
  }
}
