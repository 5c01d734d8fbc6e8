package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.report.Result;
import java.util.List;
import java.util.Set;

/** Acquires, corrects what it cost, and closes, all of it durable. */
final class Settle implements BenchScenario {
  private static final long TRUE_COST_ABOVE_ESTIMATE = 17;

  @Override
  public String name() {
    return "settle";
  }

  @Override
  public String description() {
    return "Acquires, corrects what it cost, and closes, all of it durable.";
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
        lease -> lease.adjust("tpm", TRUE_COST_ABOVE_ESTIMATE),
        /* modelThreads= */ 256,
        /* modelCallers= */ 0);
  }
}
