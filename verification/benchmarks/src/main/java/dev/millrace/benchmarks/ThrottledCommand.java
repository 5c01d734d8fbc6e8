package dev.millrace.benchmarks;

import dev.millrace.benchmarks.load.TableThrottlingRun;
import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.cli.HelpOption;
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

/** Measures what a limiter makes of a table that is throttled as a whole. */
@Command(
    name = "throttled",
    description = {
      "Asks 300 cold buckets once a second while the table turns 30 %% of all calls away, then as",
      "long as a third of that without. Counts the items and the write units per request."
    })
final class ThrottledCommand implements Callable<Integer> {
  private static final OptionRange SECONDS = new OptionRange(3, 600);

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "How long the table is throttled (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    SECONDS.require(command, "--seconds", seconds);
    Quiet.limiters();
    return Failures.told(
        command,
        () -> {
          Map<String, Object> figures = TableThrottlingRun.run(seconds).figures();
          if (json) {
            command.getOut().println(JsonLine.of(figures));
          } else {
            AlignedTable table = new AlignedTable();
            figures.forEach(
                (name, value) ->
                    table.row(
                        List.of(
                            name,
                            value instanceof Number number
                                ? Numbers.of(number.doubleValue())
                                : value.toString())));
            table.lines().forEach(command.getOut()::println);
          }
          return ExitCode.OK;
        });
  }
}
