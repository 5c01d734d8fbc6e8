package dev.millrace.benchmarks;

import dev.millrace.benchmarks.backend.Backend;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.benchmarks.scenario.Bench;
import dev.millrace.benchmarks.scenario.BenchScenario;
import dev.millrace.benchmarks.scenario.ChosenLoad;
import dev.millrace.benchmarks.scenario.Length;
import java.util.function.Consumer;

/** Runs a scenario on a store of its own. */
final class ScenarioRunner {
  private ScenarioRunner() {}

  static Result run(
      BenchScenario scenario, RunOptions options, ChosenLoad load, Consumer<String> messages)
      throws InterruptedException {
    BackendKind kind = options.backendOr(scenario.defaultBackend());
    Length length = options.lengthOr(scenario.length());
    try (Backend backend = kind.open(options.roundTrip(), scenario.model(load), messages);
        ProgressView progress = ProgressView.of(scenario.name(), options.isJson())) {
      Result result =
          scenario.run(new Bench(backend, length.warmUp(), length.measured(), load, progress));
      return kind == BackendKind.MODEL
          ? result.with("rttMs", options.roundTrip().toNanos() / 1e6)
          : result;
    }
  }
}
