package dev.millrace.benchmarks.jmh;

import dev.millrace.Limit.Refill;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Measures the credit of a limit between two instants. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CreditBenchmark {
  private Refill refill = Refill.of(100_000_000, 60_000);
  private long fromMs = SampleBucket.REFILLED_AT_MS;
  private long toMs = SampleBucket.NOW_MS;

  /** The credit of 37 milliseconds of 100,000 a minute. */
  @Benchmark
  public long credit() {
    return refill.creditMilli(fromMs, toMs);
  }
}
