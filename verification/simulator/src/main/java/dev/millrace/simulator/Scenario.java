package dev.millrace.simulator;

import java.util.EnumSet;
import java.util.List;

/**
 * A history before it is played.
 *
 * @param seed everything that is left to chance while it is played follows from it
 * @param actions in any order; each has its time
 */
public record Scenario(long seed, Kind kind, SimulatedWorld setting, List<Action> actions) {
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
    DIVIDED_EVERYTHING,
    /** Processes are idle on some entities while several levels of configuration change. */
    CONFIG_LEVELS,
    /** The table as a whole throttles, and no bucket is hot. */
    TABLE_THROTTLING,
    /** Processes were restored from one snapshot. */
    SNAPSHOT_RESTORES,
    /** Many callers at once wait for tokens of one bucket. */
    WAITING_CROWDS,
    /** Writes of settlements fail, and limiters are closed in the middle of that. */
    LOST_SETTLEMENTS
  }

  /**
   * The first seed of the kinds that came later. The kind of a seed is its remainder by the number
   * of kinds, so a kind that joined the first ones would give every seed another history.
   */
  public static final long LATER_SEEDS = 10_000_000_000L;

  private static final List<Kind> FIRST_KINDS =
      List.copyOf(EnumSet.range(Kind.SOLO, Kind.DIVIDED_EVERYTHING));
  private static final List<Kind> LATER_KINDS =
      List.copyOf(EnumSet.range(Kind.CONFIG_LEVELS, Kind.LOST_SETTLEMENTS));

  /** What the history of a seed is mostly about. */
  static Kind kind(long seed) {
    boolean later = seed >= LATER_SEEDS;
    List<Kind> kinds = later ? LATER_KINDS : FIRST_KINDS;
    long number = later ? seed - LATER_SEEDS : seed;
    return kinds.get((int) Math.floorMod(number, (long) kinds.size()));
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
    return seed < LATER_SEEDS
        ? new ScenarioMaker(seed, 1).make()
        : new LaterScenarioMaker(seed).make();
  }

  /** The same world with other actions. */
  Scenario with(List<Action> others) {
    return new Scenario(seed, kind, setting, others);
  }

  /** The same actions in another world. */
  Scenario in(SimulatedWorld other) {
    return new Scenario(seed, kind, other, actions);
  }
}
