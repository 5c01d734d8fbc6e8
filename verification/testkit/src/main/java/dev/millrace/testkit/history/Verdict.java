package dev.millrace.testkit.history;

/** The verdict on a history. */
public sealed interface Verdict {
  /** How many configurations were looked at: sets of operations that took effect, with a state. */
  int configurations();

  /** Some order of the operations explains every answer. */
  record Linearisable(int configurations) implements Verdict {}

  /**
   * No order does.
   *
   * @param culprit where it ends: everything that returned before this one can be explained
   * @param explanation the operations around it and the states that were reached
   */
  record Broken(int configurations, Operation<?, ?> culprit, String explanation)
      implements Verdict {}

  /**
   * There were more orders than could be looked at.
   *
   * @param explanation how far it came
   */
  record Undecided(int configurations, String explanation) implements Verdict {}
}
