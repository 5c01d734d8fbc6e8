package dev.millrace.benchmarks;

import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.HtmlReport;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.benchmarks.report.Result;
import dev.millrace.benchmarks.scenario.BenchScenario;
import dev.millrace.benchmarks.scenario.ChosenLoad;
import dev.millrace.benchmarks.scenario.Scenarios;
import dev.millrace.cli.HelpOption;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures every scenario with its defaults. */
@Command(
    name = "all",
    description = "Measures every scenario with its defaults and writes a page with plots.")
final class AllCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of(
          "scenario",
          "backend",
          "perSecond",
          "p50Us",
          "p99Us",
          "writesPerRequest",
          "readsPerRequest",
          "maxOverAdmission");

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Mixin private final RunOptions run = new RunOptions();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      defaultValue = "bench-report.html",
      description = "Where to write the page (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // has a default
  private Path report;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    run.check(command);
    checkReport(command);
    Quiet.limiters();
    return Failures.told(
        command,
        () -> {
          List<Result> results = new ArrayList<>();
          for (BenchScenario scenario : Scenarios.ALL) {
            results.add(
                ScenarioRunner.run(scenario, run, ChosenLoad.DEFAULT, command.getErr()::println));
          }
          HtmlReport.write(report, about(), results);
          print(command.getOut(), results);
          return BenchCommand.exitCode(command.getErr(), results);
        });
  }

  /** Before the run: nobody likes to be told after it. */
  private void checkReport(CommandLine command) {
    Path directory = report.toAbsolutePath().normalize().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new ParameterException(
          command, "--report " + report + ": there is no such directory as " + directory);
    }
  }

  private String about() {
    return "%s on %d cores, Java %s."
        .formatted(
            Instant.now().truncatedTo(ChronoUnit.SECONDS),
            Runtime.getRuntime().availableProcessors(),
            Runtime.version());
  }

  private void print(PrintWriter out, List<Result> results) {
    Path written = report.toAbsolutePath().normalize();
    if (run.isJson()) {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("scenario", "all");
      all.put("report", written.toString());
      all.put("results", results.stream().map(Result::json).toList());
      out.println(JsonLine.of(all));
      return;
    }
    AlignedTable table = new AlignedTable().row(COLUMNS);
    for (Result result : results) {
      table.row(COLUMNS.stream().map(column -> Numbers.of(result.figure(column))).toList());
    }
    table.lines().forEach(out::println);
    out.println("report: " + written);
  }
}
