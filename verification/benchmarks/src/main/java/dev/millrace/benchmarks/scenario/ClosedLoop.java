package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.Lease;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.load.Ask;
import dev.millrace.benchmarks.load.AsyncAsk;
import dev.millrace.benchmarks.load.AsyncCallers;
import dev.millrace.benchmarks.load.BlockingCallers;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.LoadGenerator;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Callers who ask again as soon as they are answered, threads and asynchronous ones. */
final class ClosedLoop {
  static final Set<Knob> KNOBS =
      EnumSet.of(Knob.PROCESSES, Knob.THREADS, Knob.CALLERS, Knob.GROUPING);

  /** Blocking callers on an engine that serves a thousand requests a second. */
  private static final int EMBEDDED_THREADS = 64;

  private ClosedLoop() {}

  /**
   * Runs callers against the entities of {@code requests}.
   *
   * @param modelThreads blocking callers on the model when none are chosen
   * @param modelCallers asynchronous ones
   */
  static Result run(
      String name,
      Bench bench,
      List<AcquireRequest> requests,
      Consumer<Lease> use,
      int modelThreads,
      int modelCallers)
      throws InterruptedException {
    ChosenLoad load = bench.load();
    boolean chosen = load.threads().isPresent() || load.callers().isPresent();
    boolean model = bench.backend().kind() == BackendKind.MODEL;
    int threads = chosen ? load.threads().orElse(0) : model ? modelThreads : EMBEDDED_THREADS;
    int callers = chosen ? load.callers().orElse(0) : model ? modelCallers : 0;
    int count = load.processes().orElse(1);
    try (Processes processes =
        Processes.open(bench, count, Processes.options(bench).build(), callers > 0)) {
      Course course = bench.course();
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(requests.get(0), requests.size(), course.length());
      CallerBehaviour traffic = new CallerBehaviour(requests, meter::admitted, use);
      List<LoadGenerator> all = new ArrayList<>();
      if (threads > 0) {
        List<Ask> asks =
            IntStream.range(0, threads)
                .mapToObj(i -> traffic.blocking(processes.dealt(i)))
                .toList();
        all.add(new BlockingCallers(course, tallies, asks));
      }
      if (callers > 0) {
        List<AsyncAsk> asks =
            IntStream.range(0, callers).mapToObj(i -> traffic.async(processes.dealt(i))).toList();
        all.add(new AsyncCallers(course, tallies, asks));
      }
      Measurement measured = course.run(all, tallies, processes::spending);
      return Result.of(name, bench.backend().kind(), measured, meter.maxOverAdmission())
          .with("processes", count)
          .with("threads", threads)
          .with("callers", callers);
    }
  }
}
