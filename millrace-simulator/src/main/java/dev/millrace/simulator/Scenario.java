package dev.millrace.simulator;

import java.util.List;

/**
 * A history before it is played.
 *
 * @param seed everything that is left to chance while it is played follows from it
 * @param actions in any order; each has its time
 */
public record Scenario(long seed, Kind kind, Setting setting, List<Action> actions) {
  /** What a history is mostly about. */
  public enum Kind {
    /** One process, one caller at a time, nothing goes wrong: every answer is exact. */
    SOLO,
    /** Several processes, nothing goes wrong. */
    CALM,
    /** Far more is asked than there is. */
    OVERLOAD,
    /** The network is bad. */
    STORM,
    /** Processes crash, are replaced, cut off, and forget. */
    CHURN,
    /** Clocks are off, drift and are set. */
    CLOCKS,
    /** Operators change everything. */
    OPERATORS,
    /** Hours pass, and buckets expire. */
    IDLE,
    /** All of it. */
    EVERYTHING,
    /** One process and one caller at a time; its buckets are divided and merged again. */
    DIVIDED_ALONE,
    /** Buckets are written harder than a partition bears, so they are divided. */
    DIVIDED,
    /** The same in a bad network, with processes that crash, are replaced, cut off, and forget. */
    DIVIDED_STORM,
    /** All of it, with divided buckets. */
    DIVIDED_EVERYTHING
  }

  /** Whether buckets are divided. */
  static boolean divides(Kind kind) {
    return switch (kind) {
      case DIVIDED_ALONE, DIVIDED, DIVIDED_STORM, DIVIDED_EVERYTHING -> true;
      default -> false;
    };
  }

  /** Keeps the actions as they are now. */
  public Scenario {
    actions = List.copyOf(actions);
  }

  /** The history of {@code seed}. */
  public static Scenario of(long seed) {
    return new ScenarioMaker(seed, 1).make();
  }

  /** The same world with other actions. */
  Scenario with(List<Action> others) {
    return new Scenario(seed, kind, setting, others);
  }

  /** The same actions in another world. */
  Scenario in(Setting other) {
    return new Scenario(seed, kind, other, actions);
  }
}
