package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.load.Alternation;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measured;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.core.request.AcquireRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** An exhausted bucket, beside Bucket4j in memory. */
final class Refuse implements Scenario {
  private static final long CAPACITY = 1;
  private static final Duration PERIOD = Duration.ofDays(1);

  /** A refusal takes less than two looks at the clock. */
  private static final int BUNCH = 16;

  @Override
  public String name() {
    return "refuse";
  }

  @Override
  public String description() {
    return "An exhausted bucket, beside Bucket4j in memory.";
  }

  @Override
  public BackendKind defaultBackend() {
    return BackendKind.MODEL;
  }

  @Override
  public Set<Knob> knobs() {
    return EnumSet.of(Knob.THREADS);
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    int threads = bench.load().threads().orElse(Runtime.getRuntime().availableProcessors());
    AcquireRequest request = Requests.ofOneLimit("tenant", CAPACITY, CAPACITY, PERIOD);
    try (Processes processes =
        Processes.open(bench, 1, Processes.options(bench).build(), /* async= */ false)) {
      Course course = bench.course();
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(request, 1, course.length());
      Ask ours = Traffic.of(List.of(request), meter).blocking(processes.get(0));
      Ask theirs = LocalBucket4j.of(CAPACITY, CAPACITY, PERIOD);
      while (ours.ask() || theirs.ask()) {
        // until both are exhausted
      }
      Alternation callers =
          new Alternation(
              course,
              tallies,
              Collections.nCopies(threads, ours),
              Collections.nCopies(threads, theirs),
              Alternation.SLICE,
              BUNCH);
      Measured measured = course.run(List.of(callers), tallies, processes::spending);
      return Result.of(name(), bench.backend().kind(), measured, meter.maxOverAdmission())
          .perSecond(callers.first().perSecond())
          .with("threads", threads)
          .with("bucket4jLocalPerSecond", callers.second().perSecond())
          .with("ofBucket4j", callers.first().perSecond() / callers.second().perSecond());
    }
  }
}
