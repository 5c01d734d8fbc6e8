package dev.millrace.benchmarks.jmh;

import dev.millrace.core.spi.plan.WritePlan;
import dev.millrace.dynamodb.internal.expression.PlanRequests;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** From a plan to the request of the SDK: expressions, names and values. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RequestBenchmark {
  private WritePlan.Locked locked =
      (WritePlan.Locked) SampleBucket.plan(SampleBucket.state(), /* contended= */ false);
  private WritePlan.Consume consume =
      (WritePlan.Consume) SampleBucket.plan(SampleBucket.state(), /* contended= */ true);

  /** The request of a locked write of two limits. */
  @Benchmark
  public UpdateItemRequest requestLocked() {
    return PlanRequests.update("limits", locked).build();
  }

  /** The request of a write of two limits without the lock. */
  @Benchmark
  public UpdateItemRequest requestConsume() {
    return PlanRequests.update("limits", consume).build();
  }
}
