package dev.millrace.benchmarks.scenario;

import dev.millrace.Consistency;
import dev.millrace.LimiterOptions;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.load.AnswerCounts;
import dev.millrace.benchmarks.report.Result;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Children of one parent in one process: every request draws on both, by stored limits. */
final class Cascade implements BenchScenario {
  private static final int DEFAULT_CHILDREN = 1_000;
  private static final int DEFAULT_DEPTH = 1;
  private static final double MODEL_RATE = 20_000;

  /** What an engine bears that writes a child and a parent one after the other. */
  private static final double EMBEDDED_RATE = 50;

  /** Twice the load, and little enough to be overloaded with a greater one. */
  private static final long PARENT_PER_SECOND = 40_000;

  @Override
  public String name() {
    return "cascade";
  }

  @Override
  public String description() {
    return "Children of one parent in one process, every request drawing on both.";
  }

  @Override
  public Set<Knob> knobs() {
    return EnumSet.of(Knob.CHILDREN, Knob.DEPTH, Knob.RATE, Knob.TRANSACTIONAL, Knob.GROUPING);
  }

  @Override
  public Result run(Bench bench) throws InterruptedException {
    ChosenLoad load = bench.load();
    int children = load.children().orElse(DEFAULT_CHILDREN);
    int depth = load.depth().orElse(DEFAULT_DEPTH);
    boolean model = bench.backend().kind() == BackendKind.MODEL;
    double perSecond = load.rate().orElse(model ? MODEL_RATE : EMBEDDED_RATE);
    Consistency consistency =
        load.transactional() ? Consistency.TRANSACTIONAL : Consistency.PARALLEL;
    EntityHierarchy tree =
        new EntityHierarchy(Processes.NAMESPACE, children, depth, PARENT_PER_SECOND);
    tree.plant(bench.backend().store(/* async= */ false));
    LimiterOptions options = Processes.options(bench).consistency(consistency).build();
    Result result =
        new PacedProcesses(tree.requests(), tree.ofParent(), /* count= */ 1, perSecond)
            .run(name(), bench, options);
    AnswerCounts counts = result.measured().counts();
    return result
        .with("children", children)
        .with("depth", depth)
        .with("consistency", consistency.name().toLowerCase(Locale.ROOT))
        .with("limit", PARENT_PER_SECOND)
        .with("admittedShare", counts.admitted() / (double) Math.max(1, counts.requests()));
  }
}
