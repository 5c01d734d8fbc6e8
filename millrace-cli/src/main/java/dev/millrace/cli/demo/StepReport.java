package dev.millrace.cli.demo;

import java.util.List;

/**
 * A step that was made.
 *
 * @param number which one, from 1
 * @param title what it shows
 * @param actions what was done
 */
public record StepReport(int number, String title, List<Action> actions) {
  /** Keeps the actions as they are now. */
  public StepReport {
    actions = List.copyOf(actions);
  }

  /** What all actions together cost. */
  Units units() {
    return total(actions.stream().map(Action::units).toList());
  }

  static Units total(List<Units> parts) {
    return parts.stream().reduce(Units.NONE, Units::plus);
  }
}
