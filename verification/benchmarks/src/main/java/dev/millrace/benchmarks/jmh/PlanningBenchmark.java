package dev.millrace.benchmarks.jmh;

import dev.millrace.core.spi.bucket.BucketState;
import dev.millrace.core.spi.plan.WritePlan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** From a bucket that was seen to the write that takes one acquire of two limits. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlanningBenchmark {
  private BucketState state = SampleBucket.state();

  /** The write that claims the refill under the lock. */
  @Benchmark
  public WritePlan planLocked() {
    return SampleBucket.plan(state, /* contended= */ false);
  }

  /** The write that consumes without the lock. */
  @Benchmark
  public WritePlan planConsume() {
    return SampleBucket.plan(state, /* contended= */ true);
  }
}
