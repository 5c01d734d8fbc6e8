package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.backend.RawWrite;
import dev.millrace.benchmarks.load.Alternation;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One caller who waits, beside the bare write of the same shape. */
final class Single implements BenchScenario {
  @Override
  public String name() {
    return "single";
  }

  @Override
  public String description() {
    return "One caller who waits, beside the bare write of the same shape.";
  }

  @Override
  public BackendKind defaultBackend() {
    return BackendKind.EMBEDDED;
  }

  @Override
  public Set<Knob> knobs() {
    return EnumSet.of(Knob.GROUPING);
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    AcquireRequest request = BenchRequests.ample("tenant");
    try (Processes processes =
        Processes.open(bench, 1, Processes.options(bench).build(), /* async= */ false)) {
      RawWrite raw = bench.backend().rawWrite(request);
      Course course = bench.course();
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(request, 1, course.length());
      CallerBehaviour traffic = CallerBehaviour.of(List.of(request), meter);
      traffic.warm(processes.all());
      Ask ours = traffic.blocking(processes.get(0));
      Ask bare =
          () -> {
            raw.send();
            return true;
          };
      Alternation callers =
          new Alternation(
              course, tallies, List.of(ours), List.of(bare), Alternation.SLICE, /* bunch= */ 1);
      Measurement measured = course.run(List.of(callers), tallies, processes::spending);
      double p50 = callers.first().latencies().getValueAtPercentile(50);
      double rawP50 = callers.second().latencies().getValueAtPercentile(50);
      return Result.of(name(), bench.backend().kind(), measured, meter.maxOverAdmission())
          .perSecond(callers.first().perSecond())
          .with("rawP50Us", rawP50 / 1e3)
          .with("rawPerSecond", callers.second().perSecond())
          .with("overhead", p50 / rawP50);
    }
  }
}
