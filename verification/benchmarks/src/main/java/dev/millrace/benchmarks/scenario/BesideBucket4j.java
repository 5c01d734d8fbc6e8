package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.LimiterOptions;
import dev.millrace.benchmarks.load.Alternation;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A limiter and Bucket4j in memory, each with one bucket of one limit, by turns on the same
 * threads.
 *
 * @param amount what a bucket holds at most, and what returns in a period
 * @param slice how long a turn is
 * @param exhausted whether all of it is taken before the run
 */
record BesideBucket4j(
    String entityId, long amount, Duration period, Duration slice, boolean exhausted) {
  static final Set<Knob> KNOBS = EnumSet.of(Knob.THREADS);

  /** A request takes little more than a look at the clock, or less. */
  private static final int BUNCH = 16;

  static int threads(Bench bench) {
    return bench.load().threads().orElse(Runtime.getRuntime().availableProcessors());
  }

  Result run(String name, Bench bench, LimiterOptions options) throws InterruptedException {
    int threads = threads(bench);
    AcquireRequest request = BenchRequests.ofOneLimit(entityId, amount, period);
    try (Processes processes = Processes.open(bench, 1, options, /* async= */ true)) {
      Course course = bench.course();
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(request, 1, course.length());
      Ask ours = CallerBehaviour.of(List.of(request), meter).blocking(processes.get(0));
      Ask theirs = LocalBucket4j.of(amount, period);
      while (exhausted && (ours.ask() || theirs.ask())) {
        // until both are
      }
      Alternation callers =
          new Alternation(
              course,
              tallies,
              Collections.nCopies(threads, ours),
              Collections.nCopies(threads, theirs),
              slice,
              BUNCH);
      Measurement measured = course.run(List.of(callers), tallies, processes::spending);
      return Result.of(name, bench.backend().kind(), measured, meter.maxOverAdmission())
          .perSecond(callers.first().perSecond())
          .with("threads", threads)
          .with("bucket4jLocalPerSecond", callers.second().perSecond())
          .with("ofBucket4j", callers.first().perSecond() / callers.second().perSecond());
    }
  }
}
