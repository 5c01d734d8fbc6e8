package dev.millrace.benchmarks.scenario;

import java.util.List;
import java.util.Optional;

/** The scenarios there are, in the order in which {@code bench all} runs them. */
public final class Scenarios {
  /** All of them; those of later parts are added here. */
  public static final List<BenchScenario> ALL =
      List.of(
          new Single(),
          new Hot(),
          new Spread(),
          new ManyProcesses(),
          new Overload(),
          new Refuse(),
          new Settle(),
          new Prefetch(),
          new Cascade(),
          new Shards());

  private Scenarios() {}

  /** The scenario of that name. */
  public static Optional<BenchScenario> find(String name) {
    return ALL.stream().filter(scenario -> scenario.name().equals(name)).findFirst();
  }

  /** All names. */
  public static List<String> names() {
    return ALL.stream().map(BenchScenario::name).toList();
  }
}
