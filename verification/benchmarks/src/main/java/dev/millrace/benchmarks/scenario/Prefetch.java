package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.LimiterOptions;
import dev.millrace.benchmarks.load.BlockingCallers;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.OpenLoop;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * Tokens taken ahead of their use: first with plenty of them, beside Bucket4j in memory; then with
 * few, beside a process on the same bucket that does not take any ahead.
 */
final class Prefetch implements BenchScenario {
  private static final long AMPLE_PER_SECOND = 1_000_000_000;
  private static final long SCARCE_PER_SECOND = 2_000;

  /** The limiter's own default, with which the grain of the promise stays what it is. */
  private static final Duration HORIZON = Duration.ofMillis(20);

  /** Longer than elsewhere: what is taken ahead follows the demand, which stops with each turn. */
  private static final Duration SLICE = Duration.ofSeconds(1);

  private static final Duration SECOND = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "prefetch";
  }

  @Override
  public String description() {
    return "Tokens taken ahead, beside Bucket4j in memory and beside a process without.";
  }

  @Override
  public Set<Knob> knobs() {
    return BesideBucket4j.KNOBS;
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    LimiterOptions options = Processes.options(bench).prefetch(HORIZON).build();
    Result ample =
        new BesideBucket4j("ample", AMPLE_PER_SECOND, SECOND, SLICE, /* exhausted= */ false)
            .run(name(), bench, options);
    return scarce(bench, options, ample);
  }

  /** Both processes want more than there is; half of it is fair. */
  private static Result scarce(Bench bench, LimiterOptions options, Result ample)
      throws InterruptedException {
    AcquireRequest request = BenchRequests.ofOneLimit("scarce", SCARCE_PER_SECOND, SECOND);
    LimiterOptions without = Processes.options(bench).build();
    try (Processes prefetching = Processes.open(bench, 1, options, /* async= */ true);
        Processes others = Processes.open(bench, 1, without, /* async= */ true)) {
      Course course = bench.course();
      AdmissionMeter meter = new AdmissionMeter(request, 1, course.length());
      CallerBehaviour traffic = CallerBehaviour.of(List.of(request), meter);
      Tallies otherTallies = new Tallies();
      BlockingCallers hungry =
          new BlockingCallers(
              course,
              new Tallies(),
              Collections.nCopies(
                  BesideBucket4j.threads(bench), traffic.blocking(prefetching.get(0))));
      OpenLoop other =
          new OpenLoop(
              course, otherTallies, List.of(traffic.async(others.get(0))), SCARCE_PER_SECOND);
      Measurement measured = course.run(List.of(hungry, other), otherTallies, others::spending);
      double fairShare = SCARCE_PER_SECOND / 2.0 * measured.seconds();
      return ample
          .with("otherFairShare", measured.counts().admitted() / fairShare)
          .worst(meter.maxOverAdmission());
    }
  }
}
