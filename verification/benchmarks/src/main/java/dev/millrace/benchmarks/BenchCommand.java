package dev.millrace.benchmarks;

import dev.millrace.benchmarks.load.Growth;
import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.benchmarks.scenario.BenchScenario;
import dev.millrace.benchmarks.scenario.ChosenLoad;
import dev.millrace.benchmarks.scenario.Scenarios;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import java.io.PrintWriter;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures one scenario; the subcommands measure more. */
@Command(
    name = "bench",
    subcommands = {
      AllCommand.class,
      PeersCommand.class,
      JmhCommand.class,
      AggregateCommand.class,
      RegionsBenchCommand.class,
      RegionsCostCommand.class,
      ThrottledCommand.class,
      AwayCommand.class,
      WaitingCommand.class
    },
    description = "Measures what a limiter does under load, and checks that it keeps its promise.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed, or more was admitted than is promised", "2:wrong usage"})
public final class BenchCommand implements ExtraCommand, Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SCENARIO",
      completionCandidates = ScenarioNames.class,
      description = "One of: ${COMPLETION-CANDIDATES}.")
  private @Nullable String scenario;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Mixin private final RunOptions run = new RunOptions();

  @Mixin private final LoadOptions load = new LoadOptions();

  /** Runs the command alone and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new BenchCommand()).setUsageHelpAutoWidth(true).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    BenchScenario chosen = chosen(command);
    run.check(command);
    ChosenLoad checked = load.load(command, chosen);
    PrintWriter err = command.getErr();
    Quiet.limiters();
    return Failures.told(
        command,
        () -> {
          Result result = ScenarioRunner.run(chosen, run, checked, err::println);
          print(command.getOut(), result);
          return exitCode(err, List.of(result));
        });
  }

  private BenchScenario chosen(CommandLine command) {
    String name = scenario;
    if (name == null) {
      throw new ParameterException(
          command, "Missing scenario: one of " + String.join(", ", Scenarios.names()));
    }
    return Scenarios.find(name)
        .orElseThrow(
            () ->
                new ParameterException(
                    command,
                    "Unknown scenario '%s': one of %s"
                        .formatted(name, String.join(", ", Scenarios.names()))));
  }

  private void print(PrintWriter out, Result result) {
    if (run.isJson()) {
      out.println(JsonLine.of(result.json()));
      return;
    }
    AlignedTable table = new AlignedTable();
    result.figures().forEach((name, value) -> table.row(List.of(name, Numbers.of(value))));
    table.lines().forEach(out::println);
    result.growths().forEach((name, growth) -> print(out, name, growth));
  }

  private static void print(PrintWriter out, String name, Growth growth) {
    AlignedTable table =
        new AlignedTable()
            .row(List.of(name, "admitted", "failed", "writes", "throttled", "shards"));
    for (Growth.Second second : growth.seconds()) {
      table.row(
          List.of(
              "second " + second.second(),
              Numbers.of(second.admitted()),
              Numbers.of(second.failed()),
              Numbers.of(second.writes()),
              Numbers.of(second.throttled()),
              Numbers.of(second.shards())));
    }
    out.println();
    table.lines().forEach(out::println);
  }

  /** 1 when a run admitted more than is promised, which it says. */
  static int exitCode(PrintWriter err, List<Result> results) {
    int code = ExitCode.OK;
    for (Result result : results) {
      if (result.maxOverAdmission() > 1) {
        err.printf(
            "bench: %s admitted %s times what its limit allows in some window%n",
            result.scenario(), Numbers.of(result.maxOverAdmission()));
        code = ExitCode.SOFTWARE;
      }
    }
    return code;
  }

  /** For the help and for completion. */
  static final class ScenarioNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Scenarios.names().iterator();
    }
  }
}
