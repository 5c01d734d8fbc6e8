package dev.millrace.benchmarks;

import dev.millrace.benchmarks.aggregate.AggregateRun;
import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.cli.HelpOption;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures what the stream aggregator costs. */
@Command(
    name = "aggregate",
    description = {
      "Measures how fast one thread turns records of the table's stream into writes of usage, and",
      "how many writes that takes: 10,000 entities, the busiest as Zipf would have it, batches of",
      "100 and of 1,000 records."
    })
final class AggregateCommand implements Callable<Integer> {
  private static final OptionRange SECONDS = new OptionRange(1, 600);

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "How long to measure each, after as long a warm-up (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    SECONDS.require(command, "--seconds", seconds);
    return Failures.told(
        command,
        () -> {
          print(command.getOut(), AggregateRun.run(seconds));
          return ExitCode.OK;
        });
  }

  private void print(PrintWriter out, List<AggregateRun.Figures> all) {
    if (json) {
      out.println(JsonLine.of(figures(all)));
      return;
    }
    AlignedTable table =
        new AlignedTable().row(List.of("batch", "records/s", "writes per 1,000 records"));
    for (AggregateRun.Figures one : all) {
      table.row(
          List.of(
              Numbers.of(one.batch()),
              Numbers.of(one.recordsPerSecond()),
              Numbers.of(one.writesPer1000Records())));
    }
    table.lines().forEach(out::println);
  }

  /** By the size of the batch; on top the slower speed and the larger number of writes. */
  private static Map<String, Object> figures(List<AggregateRun.Figures> all) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("scenario", "aggregate");
    named.put(
        "recordsPerSecond",
        Numbers.rounded(
            all.stream().mapToDouble(AggregateRun.Figures::recordsPerSecond).min().orElse(0)));
    named.put(
        "writesPer1000Records",
        Numbers.rounded(
            all.stream().mapToDouble(AggregateRun.Figures::writesPer1000Records).max().orElse(0)));
    Map<String, Object> batches = new LinkedHashMap<>();
    for (AggregateRun.Figures one : all) {
      batches.put(
          Integer.toString(one.batch()),
          Map.of(
              "recordsPerSecond",
              Numbers.rounded(one.recordsPerSecond()),
              "writesPer1000Records",
              Numbers.rounded(one.writesPer1000Records())));
    }
    named.put("batches", batches);
    return named;
  }
}
