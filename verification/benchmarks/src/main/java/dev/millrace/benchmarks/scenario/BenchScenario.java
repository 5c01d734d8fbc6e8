package dev.millrace.benchmarks.scenario;

import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.backend.ModelTraits;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.testkit.internal.model.PartitionLimits;
import java.util.Set;

/** Something that is measured. */
public interface BenchScenario {
  /** The name on the command line. */
  String name();

  /** What it measures, in a line. */
  String description();

  /** The store that it runs on unless told otherwise. */
  default BackendKind defaultBackend() {
    return BackendKind.MODEL;
  }

  /** What the model does when the scenario runs on it. */
  default ModelTraits model(ChosenLoad load) {
    return load.transactional()
        ? new ModelTraits(PartitionLimits.DYNAMODB, /* conflicts= */ true)
        : ModelTraits.WITHOUT_CONFLICTS;
  }

  /** How long it runs unless told otherwise. */
  default Length length() {
    return Length.USUAL;
  }

  /** What can be set about its load. */
  Set<Knob> knobs();

  /** Runs it once. */
  Result run(Bench bench) throws InterruptedException;
}
