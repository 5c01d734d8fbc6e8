package dev.millrace.simulator;

import java.util.ArrayList;
import java.util.List;

/** A history that failed, told so that a person can follow it. */
public final class Story {
  /** Most lines of a story; of a longer one the end is told. */
  public static final int MAX_LINES = 400;

  private Story() {}

  /** Makes the history of {@code seed} short and tells it, line by line. */
  public static List<String> of(long seed, Carriers carriers) {
    Scenario whole = Scenario.of(seed);
    Scenario shortest = Shrinker.shrink(whole, carriers);
    Trace trace = Trace.of(MAX_LINES);
    Report report = Simulation.run(shortest, carriers, trace);
    List<String> lines = new ArrayList<>();
    lines.add(
        "seed "
            + seed
            + " ("
            + whole.kind()
            + "): "
            + (report.failure() == null ? "keeps every promise" : report.failure().getMessage()));
    lines.add(
        shortest.actions().size()
            + " of its "
            + whole.actions().size()
            + " actions are enough to show it");
    for (NodeSpec node : shortest.setting().nodes()) {
      if (isUsed(node, shortest)) {
        lines.add("  " + node);
      }
    }
    shortest.setting().limits().forEach((where, set) -> lines.add("  " + where + ": " + set));
    shortest
        .setting()
        .byCall()
        .forEach((where, set) -> lines.add("  " + where + ", with the request: " + set));
    lines.add("  " + shortest.setting().weather());
    lines.addAll(trace.lines());
    if (report.failure() != null) {
      lines.add("→ " + report.failure().getMessage());
    }
    return lines;
  }

  private static boolean isUsed(NodeSpec node, Scenario scenario) {
    int index = scenario.setting().nodes().indexOf(node);
    return scenario.actions().stream()
        .anyMatch(action -> action instanceof Action.Ask ask && ask.node() == index);
  }
}
