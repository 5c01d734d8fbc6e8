package dev.millrace.benchmarks;

import dev.millrace.benchmarks.load.WaitingRun;
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

/** Measures callers that wait for tokens, beside callers that do not. */
@Command(
    name = "waiting",
    description = {
      "Lets many callers with a longest wait ask at once on a full bucket, beside as many without,",
      "then twice as many as are due on a scarce one; callers that block, then asynchronous ones.",
      "Measures the ratio of their times, the writes for each, the part of what was due that was",
      "admitted, and whether the order of arrival was kept."
    })
final class WaitingCommand implements Callable<Integer> {
  private static final OptionRange SECONDS = new OptionRange(1, 600);
  private static final OptionRange CALLERS = new OptionRange(10, 10_000);

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long the scarce bucket is asked (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many ask at once on the full bucket (default: ${DEFAULT-VALUE}).")
  private int callers;

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    SECONDS.require(command, "--seconds", seconds);
    CALLERS.require(command, "--callers", callers);
    Quiet.limiters();
    return Failures.told(
        command,
        () -> {
          Map<String, Object> figures = WaitingRun.run(callers, seconds);
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
