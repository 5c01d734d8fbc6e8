package dev.millrace.benchmarks;

import dev.millrace.benchmarks.regions.RegionsRun;
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

/** Measures how well several regions use one quota. */
@Command(
    name = "regions",
    description = {
      "Measures how much four regions admit of one quota, beside one central bucket: with traffic",
      "that is skewed, that moves, and that comes as a crowd. Beside it an equal split and an",
      "exchange of counts. In simulated time; every run has the same figures."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed, or more was admitted than is promised", "2:wrong usage"})
final class RegionsBenchCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    return Failures.told(
        command,
        () -> {
          Map<String, RegionsRun.Comparison> all = RegionsRun.run();
          print(command.getOut(), all);
          return exitCode(command.getErr(), all);
        });
  }

  private static int exitCode(PrintWriter err, Map<String, RegionsRun.Comparison> all) {
    double worst = worst(all, RegionsRun.Comparison::rights);
    if (worst > 1) {
      err.printf("bench: regions admitted %s times what their limit allows%n", Numbers.of(worst));
      return ExitCode.SOFTWARE;
    }
    return ExitCode.OK;
  }

  private void print(PrintWriter out, Map<String, RegionsRun.Comparison> all) {
    if (json) {
      out.println(JsonLine.of(figures(all)));
      return;
    }
    AlignedTable table =
        new AlignedTable()
            .row(List.of("traffic", "sharing", "utilisation", "by load", "worst window", "gifts"));
    all.forEach(
        (traffic, compared) -> {
          row(table, traffic, "rights", compared.rights());
          row(table, traffic, "equal split", compared.split());
          row(table, traffic, "counts", compared.counts());
        });
    table.lines().forEach(out::println);
  }

  private static void row(
      AlignedTable table, String traffic, String sharing, RegionsRun.Figures figures) {
    StringBuilder byLoad = new StringBuilder();
    figures
        .byLoad()
        .forEach((load, part) -> byLoad.append("%s: %s ".formatted(load, Numbers.of(part))));
    table.row(
        List.of(
            traffic,
            sharing,
            Numbers.of(figures.utilisation()),
            byLoad.toString().strip(),
            Numbers.of(figures.maxOverAdmission()),
            Numbers.of(figures.gifts())));
  }

  private interface Way {
    RegionsRun.Figures of(RegionsRun.Comparison comparison);
  }

  private static double worst(Map<String, RegionsRun.Comparison> all, Way way) {
    return all.values().stream()
        .mapToDouble(compared -> way.of(compared).maxOverAdmission())
        .max()
        .orElse(0);
  }

  private static Map<String, Object> figures(Map<String, RegionsRun.Comparison> all) {
    Map<String, Object> named = new LinkedHashMap<>();
    named.put("scenario", "regions");
    put(named, all, "", RegionsRun.Comparison::rights);
    put(named, all, "static", RegionsRun.Comparison::split);
    put(named, all, "counts", RegionsRun.Comparison::counts);
    return named;
  }

  private static void put(
      Map<String, Object> named, Map<String, RegionsRun.Comparison> all, String prefix, Way way) {
    Map<String, Object> loads = new LinkedHashMap<>();
    all.forEach(
        (traffic, compared) -> {
          named.put(
              key(prefix, traffic + "Utilisation"),
              Numbers.rounded(way.of(compared).utilisation()));
          Map<String, Object> byLoad = new LinkedHashMap<>();
          way.of(compared)
              .byLoad()
              .forEach((load, part) -> byLoad.put(load.toString(), Numbers.rounded(part)));
          loads.put(traffic, byLoad);
        });
    named.put(key(prefix, "maxOverAdmission"), Numbers.rounded(worst(all, way)));
    named.put(key(prefix, "utilisationByLoad"), loads);
  }

  /** {@code skewUtilisation}, or {@code staticSkewUtilisation}. */
  private static String key(String prefix, String name) {
    return prefix.isEmpty()
        ? name
        : prefix + Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
