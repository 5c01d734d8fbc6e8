package dev.millrace.benchmarks;

import dev.millrace.benchmarks.backend.EngineAtGate;
import dev.millrace.benchmarks.load.StoreAwayRun;
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

/** Measures what callers get while the store is away, and how soon after it is back. */
@Command(
    name = "away",
    description = {
      "Asks DynamoDB Local 200 times a second, takes it away for a while and brings it back.",
      "Measures how long answers take from the third second on, how many threads wait, and how",
      "soon requests are granted again."
    })
final class AwayCommand implements Callable<Integer> {
  private static final OptionRange SECONDS = new OptionRange(4, 600);

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
      description = "How long the store is away (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--manner",
      paramLabel = "HOW",
      defaultValue = "FROZEN",
      description =
          "FROZEN: connections are there and nothing comes back; REFUSED: connections are refused"
              + " (default: ${DEFAULT-VALUE}).")
  private StoreAwayRun.Manner manner = StoreAwayRun.Manner.FROZEN;

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
          Map<String, Object> figures = measured(command).figures();
          if (json) {
            command.getOut().println(JsonLine.of(figures));
          } else {
            AlignedTable table = new AlignedTable();
            figures.forEach((name, value) -> table.row(List.of(name, told(value))));
            table.lines().forEach(command.getOut()::println);
          }
          return ExitCode.OK;
        });
  }

  private StoreAwayRun.Figures measured(CommandLine command) throws Exception {
    try (EngineAtGate engine = EngineAtGate.start(command.getErr()::println)) {
      return StoreAwayRun.run(engine.endpoint(), engine::storeAt, manner, seconds);
    }
  }

  private static String told(Object value) {
    return value instanceof Number number ? Numbers.of(number.doubleValue()) : value.toString();
  }
}
