package dev.millrace.benchmarks;

import dev.millrace.benchmarks.jmh.Microbenchmarks;
import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.cli.HelpOption;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what an acquire costs on the processor. */
@Command(
    name = "jmh",
    description = {
      "Measures the arithmetic, planning, request building and item codec of an acquire, and a",
      "whole one that does not wait for its store:",
      "nanoseconds and allocated bytes, by JMH in a JVM of their own."
    })
final class JmhCommand implements Callable<Integer> {
  private static final OptionRange ITERATIONS = new OptionRange(1, 1_000);

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Seconds to measure each, after as many of warm-up (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    ITERATIONS.require(command, "--iterations", iterations);
    return Failures.told(
        command,
        () -> {
          print(command.getOut(), Microbenchmarks.run(iterations));
          return ExitCode.OK;
        });
  }

  private void print(PrintWriter out, List<Microbenchmarks.Figure> figures) {
    if (json) {
      Map<String, Object> named = new LinkedHashMap<>();
      for (Microbenchmarks.Figure figure : figures) {
        named.put(
            figure.name(),
            Map.of(
                "nsPerOp",
                Numbers.rounded(figure.nanosPerOp()),
                "bytesPerOp",
                Numbers.rounded(figure.bytesPerOp())));
      }
      out.println(JsonLine.of(Map.of("scenario", "jmh", "benchmarks", named)));
      return;
    }
    AlignedTable table = new AlignedTable().row(List.of("benchmark", "ns/op", "±", "B/op"));
    for (Microbenchmarks.Figure figure : figures) {
      table.row(
          List.of(
              figure.name(),
              String.format(Locale.ROOT, "%.1f", figure.nanosPerOp()),
              Double.isNaN(figure.errorNanos()) // of a single iteration
                  ? "–"
                  : String.format(Locale.ROOT, "%.1f", figure.errorNanos()),
              String.format(Locale.ROOT, "%.0f", figure.bytesPerOp())));
    }
    table.lines().forEach(out::println);
  }
}
