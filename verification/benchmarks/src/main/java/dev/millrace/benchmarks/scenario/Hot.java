package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.report.Result;
import java.util.List;
import java.util.Set;

/** Many callers, one entity, limits far above the load. */
final class Hot implements BenchScenario {
  @Override
  public String name() {
    return "hot";
  }

  @Override
  public String description() {
    return "Many callers, one entity, limits far above the load.";
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
        List.of(BenchRequests.ample("tenant")),
        lease -> {},
        /* modelThreads= */ 0,
        /* modelCallers= */ 1_024);
  }
}
