package dev.millrace.proving.soak;

/** How many processes were killed. */
public record Kills(int workers, int databases) {
  static final Kills NONE = new Kills(0, 0);

  Kills worker() {
    return new Kills(workers + 1, databases);
  }

  Kills database() {
    return new Kills(workers, databases + 1);
  }

  /** All of them. */
  public int all() {
    return workers + databases;
  }
}
