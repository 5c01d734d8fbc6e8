package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.load.AsyncAsk;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measured;
import dev.millrace.benchmarks.load.OpenLoop;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.core.request.AcquireRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Processes whose requests come at their own rate. */
final class Paced {
  static final Set<Knob> KNOBS = EnumSet.of(Knob.PROCESSES, Knob.RATE, Knob.GROUPING);

  private Paced() {}

  /** Runs {@code count} processes, each of which asks {@code perSecond} times a second. */
  static Result run(String name, Bench bench, AcquireRequest request, int count, double perSecond)
      throws InterruptedException {
    try (Processes processes =
        Processes.open(bench, count, Processes.options(bench).build(), /* async= */ true)) {
      Course course = bench.course();
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(request, 1, course.length());
      Traffic traffic = Traffic.of(List.of(request), meter);
      List<AsyncAsk> asks =
          processes.all().stream().map(limiter -> traffic.async(limiter.async())).toList();
      Measured measured =
          course.run(
              List.of(new OpenLoop(course, tallies, asks, perSecond)),
              tallies,
              processes::spending);
      return Result.of(name, bench.backend().kind(), measured, meter.maxOverAdmission())
          .with("processes", count)
          .with("rate", perSecond);
    }
  }
}
