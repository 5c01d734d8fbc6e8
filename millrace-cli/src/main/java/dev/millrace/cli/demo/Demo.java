package dev.millrace.cli.demo;

import dev.millrace.client.LimiterOptions;
import dev.millrace.client.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Plays all steps on an engine of its own, which ends with it. */
public final class Demo {
  /** Generous: the first call loads classes, and a busy machine is no reason to fail. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private static final List<DemoStep> STEPS =
      List.of(
          new TwoLimitsStep(),
          new SettleStep(),
          new RefusalStep(),
          new RecoveryStep(),
          new DebtStep());

  private Demo() {}

  /**
   * Plays the demo.
   *
   * @throws DemoFailure if a step did not do what it says
   */
  public static void run(DemoView view) throws InterruptedException {
    long startedNanos = System.nanoTime();
    view.progress("Starting DynamoDB Local, in memory …");
    StoreMeter meter = new StoreMeter();
    LimiterOptions options = LimiterOptions.builder().timeout(TIMEOUT).listener(meter).build();
    try (LocalTable table = LocalTable.create(view::progress);
        RateLimiter limiter = RateLimiter.create(table.store(), options)) {
      view.ready(LocalTable.NAME, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos));
      view.closing(play(limiter, meter, view));
    }
  }

  private static List<StepReport> play(RateLimiter limiter, StoreMeter meter, DemoView view)
      throws InterruptedException {
    List<StepReport> reports = new ArrayList<>();
    for (DemoStep step : STEPS) {
      int number = reports.size() + 1;
      view.begin(number, step.title(), step.story());
      Stage stage = new Stage(limiter, meter, view);
      step.play(stage);
      StepReport report = new StepReport(number, step.title(), stage.end());
      view.end(report);
      reports.add(report);
    }
    return reports;
  }
}
