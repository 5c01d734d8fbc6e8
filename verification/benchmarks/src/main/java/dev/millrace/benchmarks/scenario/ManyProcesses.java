package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.report.Result;
import java.util.Set;

/** Many processes with little traffic each, one entity. */
final class ManyProcesses implements BenchScenario {
  private static final int DEFAULT_PROCESSES = 20;
  private static final int MANY = 50;
  private static final double RATE_OF_MANY = 1;
  private static final double RATE_OF_FEW = 50;

  /** The limit is so many times the load. */
  private static final double HEADROOM = 4;

  private static final long MIN_LIMIT = 100;

  @Override
  public String name() {
    return "many-processes";
  }

  @Override
  public String description() {
    return "Many processes with little traffic each, one entity.";
  }

  @Override
  public Set<Knob> knobs() {
    return PacedProcesses.KNOBS;
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    int count = bench.load().processes().orElse(DEFAULT_PROCESSES);
    double perSecond = bench.load().rate().orElse(count >= MANY ? RATE_OF_MANY : RATE_OF_FEW);
    long limit = Math.max(MIN_LIMIT, (long) Math.ceil(HEADROOM * count * perSecond));
    return PacedProcesses.of(BenchRequests.limited("tenant", limit), count, perSecond)
        .run(name(), bench, Processes.options(bench).build())
        .with("limit", limit);
  }
}
