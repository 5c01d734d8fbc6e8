package dev.millrace.testkit.internal.history;

/** The result of a check of a history. */
public sealed interface LinearisabilityVerdict {
  /** How many configurations were looked at: sets of operations that took effect, with a state. */
  int configurations();

  /** Some order of the operations explains every answer. */
  record Linearisable(int configurations) implements LinearisabilityVerdict {}

  /**
   * No order does.
   *
   * @param culprit where it ends: everything that returned before this one can be explained
   * @param explanation the operations around it and the states that were reached
   */
  record Broken(int configurations, Operation<?, ?> culprit, String explanation)
      implements LinearisabilityVerdict {}

  /**
   * There were more orders than could be looked at.
   *
   * @param explanation how far it came
   */
  record Undecided(int configurations, String explanation) implements LinearisabilityVerdict {}
}
