package dev.millrace.benchmarks;

import dev.millrace.benchmarks.scenario.BenchScenario;
import dev.millrace.benchmarks.scenario.ChosenLoad;
import dev.millrace.benchmarks.scenario.Knob;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that shape the load of a scenario. */
final class LoadOptions {
  private static final int MAX_PROCESSES = 10_000;
  private static final int MAX_THREADS = 10_000;
  private static final int MAX_CALLERS = 1_000_000;
  private static final int MAX_CHILDREN = 10_000;
  private static final int MAX_DEPTH = 7;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Limiters that share nothing but the store.")
  private @Nullable Integer processes;

  @Option(names = "--threads", paramLabel = "N", description = "Blocking callers.")
  private @Nullable Integer threads;

  @Option(names = "--callers", paramLabel = "N", description = "Asynchronous callers.")
  private @Nullable Integer callers;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "Requests a second of each process (many-processes, overload, cascade).")
  private @Nullable Double rate;

  @Option(
      names = "--children",
      paramLabel = "N",
      description = "Entities that have the same parent (cascade).")
  private @Nullable Integer children;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Ancestors of each of them that a request draws on too (cascade).")
  private @Nullable Integer depth;

  @Option(
      names = "--transactional",
      description = "Write all buckets of a request in one transaction (cascade).")
  private boolean transactional;

  @Option(names = "--no-grouping", description = "Give every request a write of its own.")
  private boolean noGrouping;

  /** The load, checked for {@code scenario}. */
  ChosenLoad load(CommandLine command, BenchScenario scenario) {
    requireBetween(command, Knob.PROCESSES, processes, MAX_PROCESSES);
    requireBetween(command, Knob.THREADS, threads, MAX_THREADS);
    requireBetween(command, Knob.CALLERS, callers, MAX_CALLERS);
    requireBetween(command, Knob.CHILDREN, children, MAX_CHILDREN);
    requireBetween(command, Knob.DEPTH, depth, MAX_DEPTH);
    if (rate != null && !(rate > 0 && rate <= 1e6)) {
      throw new ParameterException(command, "--rate " + rate + " must be above 0, at most 1000000");
    }
    ChosenLoad load =
        new ChosenLoad(
            optional(processes),
            optional(threads),
            optional(callers),
            rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
            optional(children),
            optional(depth),
            transactional,
            !noGrouping);
    Set<Knob> foreign = load.turned();
    foreign.removeAll(scenario.knobs());
    if (!foreign.isEmpty()) {
      throw new ParameterException(
          command,
          "the scenario '%s' has no %s; it has %s"
              .formatted(scenario.name(), options(foreign), options(scenario.knobs())));
    }
    return load;
  }

  private static OptionalInt optional(@Nullable Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static void requireBetween(
      CommandLine command, Knob knob, @Nullable Integer value, int max) {
    if (value != null) {
      new OptionRange(1, max).require(command, knob.option(), value);
    }
  }

  private static String options(Set<Knob> knobs) {
    return String.join(", ", knobs.stream().map(Knob::option).toList());
  }
}
