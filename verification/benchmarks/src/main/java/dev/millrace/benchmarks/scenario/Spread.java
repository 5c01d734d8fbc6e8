package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.report.Result;
import java.util.Set;

/** Many callers, a thousand entities, limits far above the load. */
final class Spread implements BenchScenario {
  private static final int ENTITIES = 1_000;

  @Override
  public String name() {
    return "spread";
  }

  @Override
  public String description() {
    return "Many callers, a thousand entities, limits far above the load.";
  }

  @Override
  public Set<Knob> knobs() {
    return ClosedLoop.KNOBS;
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    return ClosedLoop.run(
        name(),
        bench,
        BenchRequests.ampleOf(ENTITIES),
        lease -> {},
        /* modelThreads= */ 0,
        /* modelCallers= */ 1_024);
  }
}
