package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.load.Alternation;
import dev.millrace.benchmarks.report.Result;
import java.time.Duration;
import java.util.Set;

/** An exhausted bucket, beside Bucket4j in memory. */
final class Refuse implements BenchScenario {
  private static final long CAPACITY = 1;
  private static final Duration PERIOD = Duration.ofDays(1);

  @Override
  public String name() {
    return "refuse";
  }

  @Override
  public String description() {
    return "An exhausted bucket, beside Bucket4j in memory.";
  }

  @Override
  public Set<Knob> knobs() {
    return BesideBucket4j.KNOBS;
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    return new BesideBucket4j("tenant", CAPACITY, PERIOD, Alternation.SLICE, /* exhausted= */ true)
        .run(name(), bench, Processes.options(bench).build());
  }
}
