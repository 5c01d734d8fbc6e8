package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.report.Result;
import java.util.Set;

/** Ten times the limit, from several processes. */
final class Overload implements BenchScenario {
  private static final int DEFAULT_PROCESSES = 20;
  private static final long LIMIT_PER_SECOND = 2_000;
  private static final double TIMES = 10;

  @Override
  public String name() {
    return "overload";
  }

  @Override
  public String description() {
    return "Ten times the limit, from several processes.";
  }

  @Override
  public Set<Knob> knobs() {
    return PacedProcesses.KNOBS;
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    int count = bench.load().processes().orElse(DEFAULT_PROCESSES);
    double perSecond = bench.load().rate().orElse(TIMES * LIMIT_PER_SECOND / count);
    Result result =
        PacedProcesses.of(BenchRequests.limited("tenant", LIMIT_PER_SECOND), count, perSecond)
            .run(name(), bench, Processes.options(bench).build());
    // The burst is gone after the warm-up: what is left is what returns.
    double allowed = LIMIT_PER_SECOND * result.measured().seconds();
    return result
        .with("limit", LIMIT_PER_SECOND)
        .with("admittedOfLimit", result.measured().counts().admitted() / allowed);
  }
}
