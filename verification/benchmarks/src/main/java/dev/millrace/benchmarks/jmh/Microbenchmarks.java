package dev.millrace.benchmarks.jmh;

import dev.millrace.benchmarks.BenchException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the benchmarks of this package. */
public final class Microbenchmarks {
  private static final String ALLOCATION = "gc.alloc.rate.norm";

  private Microbenchmarks() {}

  /**
   * Runs the microbenchmarks and collects the cost of one operation of each.
   *
   * @param name which one
   * @param nanosPerOp its time
   * @param errorNanos half the width of the 99.9 % confidence interval of that
   * @param bytesPerOp what it allocates
   */
  public record Figure(String name, double nanosPerOp, double errorNanos, double bytesPerOp) {}

  /** Runs each for {@code iterations} seconds, after as many of warm-up. */
  public static List<Figure> run(int iterations) {
    Collection<RunResult> results;
    try {
      results =
          new Runner(
                  new OptionsBuilder()
                      .include(Microbenchmarks.class.getPackageName().replace(".", "\\.") + "\\.")
                      .forks(1)
                      .warmupIterations(iterations)
                      .warmupTime(TimeValue.seconds(1))
                      .measurementIterations(iterations)
                      .measurementTime(TimeValue.seconds(1))
                      .addProfiler(GCProfiler.class)
                      .shouldFailOnError(true)
                      .verbosity(VerboseMode.SILENT)
                      .build())
              .run();
    } catch (RunnerException e) {
      throw new BenchException("JMH failed: " + e.getMessage(), e);
    }
    List<Figure> figures = new ArrayList<>();
    for (RunResult result : results) {
      Result<?> primary = result.getPrimaryResult();
      Result<?> allocated = result.getSecondaryResults().get(ALLOCATION);
      figures.add(
          new Figure(
              primary.getLabel(),
              primary.getScore(),
              primary.getScoreError(),
              allocated == null ? 0 : allocated.getScore()));
    }
    return figures;
  }
}
