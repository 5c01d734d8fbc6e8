package dev.millrace.benchmarks.scenario;

import dev.millrace.AcquireRequest;
import dev.millrace.LimiterMetrics;
import dev.millrace.LimiterOptions;
import dev.millrace.RateLimiter;
import dev.millrace.benchmarks.backend.ModelTraits;
import dev.millrace.benchmarks.load.AsyncAsk;
import dev.millrace.benchmarks.load.Course;
import dev.millrace.benchmarks.load.Growth;
import dev.millrace.benchmarks.load.GrowthWatch;
import dev.millrace.benchmarks.load.Measurement;
import dev.millrace.benchmarks.load.OpenLoop;
import dev.millrace.benchmarks.load.Tallies;
import dev.millrace.benchmarks.meter.AdmissionMeter;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.testkit.internal.model.PartitionLimits;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * One entity with more requests than one partition bears, on partitions that save nothing: how the
 * bucket is divided, from the first request on. First with a limit far above the load, then with
 * one below it, so that more would be admitted than is allowed if dividing made tokens.
 *
 * <p>Growing is what is measured, so the warm-up is that of the compilers, on another bucket.
 */
final class Shards implements BenchScenario {
  private static final int DEFAULT_PROCESSES = 20;
  private static final double DEFAULT_RATE = 400;

  private static final Length LENGTH = new Length(Duration.ofSeconds(10), Duration.ofSeconds(40));

  /** Of what is offered, the limit of the second part. */
  private static final double SCARCE = 0.7;

  /** Of what is offered, at least so much is admitted once the bucket has grown. */
  private static final double GROWN = 0.9;

  @Override
  public String name() {
    return "shards";
  }

  @Override
  public String description() {
    return "One entity with more requests than one partition bears.";
  }

  @Override
  public ModelTraits model(ChosenLoad load) {
    return new ModelTraits(PartitionLimits.WITHOUT_BURST, /* conflicts= */ true);
  }

  @Override
  public Length length() {
    return LENGTH;
  }

  @Override
  public Set<Knob> knobs() {
    return PacedProcesses.KNOBS;
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    int count = bench.load().processes().orElse(DEFAULT_PROCESSES);
    double perSecond = bench.load().rate().orElse(DEFAULT_RATE);
    double offered = count * perSecond;
    long limit = Math.max(1, Math.round(SCARCE * offered));
    if (bench.warmUp().toMillis() > 0) {
      Part unused = part(bench, BenchRequests.ample("warm-up"), bench.warmUp(), count, perSecond);
    }
    Part ample = part(bench, BenchRequests.ample("ample"), bench.measured(), count, perSecond);
    Part scarce =
        part(
            bench,
            BenchRequests.limited("scarce", limit),
            bench.measured().dividedBy(2),
            count,
            perSecond);
    Growth grown = ample.growth().grown();
    return Result.of(name(), bench.backend().kind(), ample.measured(), ample.overAdmission())
        .with("processes", count)
        .with("rate", perSecond)
        .with("offeredPerSecond", offered)
        .with("perSecondGrown", grown.admittedPerSecond())
        .with("admittedShareGrown", grown.admittedPerSecond() / offered)
        .with("throttledShareGrown", grown.throttledShare())
        .with("secondsToGrow", ample.growth().firstWith(GROWN * offered))
        .with("maxShards", ample.maxShards())
        .with("resizes", ample.sum(LimiterMetrics::resized))
        .with("splits", ample.sum(LimiterMetrics::splits))
        .with("merges", ample.sum(LimiterMetrics::merges))
        .with("wide", ample.sum(LimiterMetrics::wide))
        .with("leftElsewhere", ample.sum(LimiterMetrics::leftElsewhere))
        .with("scarceLimit", limit)
        .with("scarceAdmittedOfLimit", scarce.growth().grown().admittedPerSecond() / limit)
        .with("scarceMaxShards", scarce.maxShards())
        .with("scarceWide", scarce.sum(LimiterMetrics::wide))
        .with("scarceLeftElsewhere", scarce.sum(LimiterMetrics::leftElsewhere))
        .with("scarceFailed", scarce.measured().counts().failed())
        .with("scarceFailures", scarce.measured().failures())
        .with("scarceMaxOverAdmission", scarce.overAdmission())
        .worst(scarce.overAdmission())
        .with("growth", ample.growth())
        .with("scarceGrowth", scarce.growth());
  }

  /** The figures of one of the two parts. */
  private record Part(
      Measurement measured, Growth growth, double overAdmission, List<LimiterMetrics> processes) {
    long sum(ToLongFunction<LimiterMetrics> figure) {
      return processes.stream().mapToLong(figure).sum();
    }

    /** Most that there were, or were to be. */
    long maxShards() {
      long told = processes.stream().mapToLong(LimiterMetrics::mostShards).max().orElse(1);
      return Math.max(told, growth.maxShards());
    }
  }

  private static Part part(
      Bench bench, AcquireRequest request, Duration length, int count, double perSecond)
      throws InterruptedException {
    LimiterOptions options = Processes.options(bench).build();
    try (Processes processes = Processes.open(bench, count, options, /* async= */ true)) {
      Course course = new Course(Duration.ZERO, length, bench.progress());
      Tallies tallies = new Tallies();
      AdmissionMeter meter = new AdmissionMeter(request, 1, course.length());
      CallerBehaviour traffic = CallerBehaviour.of(List.of(request), meter);
      traffic.warm(processes.all());
      List<AsyncAsk> asks = processes.all().stream().map(traffic::async).toList();
      GrowthWatch watch =
          new GrowthWatch(
              course,
              tallies,
              processes::spending,
              new ShardCount(
                  bench.backend().store(/* async= */ false), request.keyIn(Processes.NAMESPACE)));
      Measurement measured =
          course.run(
              List.of(watch, new OpenLoop(course, tallies, asks, perSecond)),
              tallies,
              processes::spending);
      return new Part(
          measured,
          watch.growth(),
          meter.maxOverAdmission(),
          processes.all().stream().map(RateLimiter::metrics).toList());
    }
  }
}
