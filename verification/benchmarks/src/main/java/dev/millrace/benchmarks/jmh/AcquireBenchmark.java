package dev.millrace.benchmarks.jmh;

import dev.millrace.AcquireRequest;
import dev.millrace.Acquisition;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.scenario.EntityHierarchy;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A whole acquire by stored limits when everything is warm: what holds for it, on whom it draws,
 * one write planned for each bucket, group commit and the lease. The store answers at once.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AcquireBenchmark {
  private static final int ANCESTORS = 3;
  private static final long PER_SECOND = 1_000_000;

  private final StillStore store = new StillStore();
  private final RateLimiter limiter;
  private final AcquireRequest ofChild;
  private final AcquireRequest ofRoot;

  /** Stores a child with its ancestors, and lets both requests come once. */
  public AcquireBenchmark() {
    StillTime time = new StillTime();
    EntityHierarchy tree =
        new EntityHierarchy(
            LimiterOptions.DEFAULT_NAMESPACE, /* children= */ 1, ANCESTORS, PER_SECOND);
    tree.plant(store.contents());
    limiter = RateLimiter.createAsync(store, LimiterOptions.builder().time(time).build());
    ofChild = tree.requests().get(0);
    ofRoot = tree.ofRoot();
    CompletionStage<Acquisition> unused = acquireWithThreeAncestors();
    unused = acquireAlone();
    time.advance(SampleBucket.NOW_MS - SampleBucket.REFILLED_AT_MS);
  }

  /** Draws on one bucket. */
  @Benchmark
  public CompletionStage<Acquisition> acquireAlone() {
    return limiter.tryAcquireAsync(ofRoot);
  }

  /** Draws on four buckets. */
  @Benchmark
  public CompletionStage<Acquisition> acquireWithThreeAncestors() {
    return limiter.tryAcquireAsync(ofChild);
  }

  /** How many buckets the requests have written. */
  int buckets() {
    return store.buckets();
  }
}
