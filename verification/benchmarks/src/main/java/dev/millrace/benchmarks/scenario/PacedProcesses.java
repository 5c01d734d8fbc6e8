package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.LimiterOptions;
import dev.millrace.benchmarks.load.AsyncAsk;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.OpenLoop;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Processes whose requests come at their own rate.
 *
 * @param requests what is asked, one of them each time
 * @param shared what each of them asks of the bucket that all draw on, with that one's limits
 * @param count how many processes
 * @param perSecond how often each of them asks
 */
record PacedProcesses(
    List<AcquireRequest> requests, AcquireRequest shared, int count, double perSecond) {
  static final Set<Knob> KNOBS = EnumSet.of(Knob.PROCESSES, Knob.RATE, Knob.GROUPING);

  /** All ask the same. */
  static PacedProcesses of(AcquireRequest request, int count, double perSecond) {
    return new PacedProcesses(List.of(request), request, count, perSecond);
  }

  Result run(String name, Bench bench, LimiterOptions options) throws InterruptedException {
    Course course = bench.course();
    try (Processes processes = Processes.open(bench, count, options, /* async= */ true)) {
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(shared, 1, course.length());
      CallerBehaviour traffic =
          new CallerBehaviour(requests, request -> meter.admitted(0), lease -> {});
      traffic.warm(processes.all());
      List<AsyncAsk> asks = processes.all().stream().map(traffic::async).toList();
      Measurement measured =
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
