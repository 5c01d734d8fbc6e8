package dev.millrace.benchmarks;

import dev.millrace.benchmarks.backend.Backend;
import dev.millrace.benchmarks.backend.BackendKind;
import dev.millrace.benchmarks.backend.ModelTraits;
import dev.millrace.benchmarks.regions.CycleCost;
import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.cli.HelpOption;
import dev.millrace.testkit.InMemoryStore;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
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

/** Measures what a window of the exchange between regions costs. */
@Command(
    name = "regions-cost",
    description = {
      "Measures what a window costs one of two regions that share two limits of so many pairs: time",
      "of the processor, memory that it keeps, and bytes that it publishes. The tables are in memory",
      "and count as its own time, or with --embedded in DynamoDB Local, and do not."
    })
final class RegionsCostCommand implements Callable<Integer> {
  private static final OptionRange PAIRS = new OptionRange(10, 1_000_000);
  private static final OptionRange WINDOWS = new OptionRange(1, 100);

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--pairs",
      paramLabel = "N",
      split = ",",
      defaultValue = "20000,100000,300000,1000000",
      description = "How many, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<Integer> pairs = new ArrayList<>();

  @Option(
      names = "--windows",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many to measure, after one to warm up (default: ${DEFAULT-VALUE}).")
  private int windows;

  @Option(names = "--embedded", description = "Tables in DynamoDB Local (default: in memory).")
  private boolean embedded;

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    pairs.forEach(count -> PAIRS.require(command, "--pairs", count));
    WINDOWS.require(command, "--windows", windows);
    return Failures.told(
        command,
        () -> {
          List<CycleCost.Figures> all = new ArrayList<>();
          for (int count : pairs) {
            all.add(measure(count));
          }
          print(command.getOut(), all);
          return ExitCode.OK;
        });
  }

  private CycleCost.Figures measure(int count) {
    if (!embedded) {
      return CycleCost.measure(InMemoryStore::new, count, windows);
    }
    List<Backend> opened = new ArrayList<>();
    try {
      return CycleCost.measure(
          () -> {
            Backend backend =
                BackendKind.EMBEDDED.open(Duration.ZERO, ModelTraits.WITHOUT_CONFLICTS, line -> {});
            opened.add(backend);
            return backend.store(/* async= */ false);
          },
          count,
          windows);
    } finally {
      opened.forEach(Backend::close);
    }
  }

  private void print(PrintWriter out, List<CycleCost.Figures> all) {
    if (json) {
      List<Map<String, Object>> rows = new ArrayList<>();
      all.forEach(figures -> rows.add(fields(figures)));
      Map<String, Object> named = new LinkedHashMap<>();
      named.put("scenario", "regions-cost");
      named.put("backend", embedded ? "embedded" : "memory");
      named.put("windows", windows);
      named.put("costs", rows);
      out.println(JsonLine.of(named));
      return;
    }
    AlignedTable table =
        new AlignedTable()
            .row(List.of("pairs", "CPU ms", "elapsed ms", "kept MB", "published", "read"));
    for (CycleCost.Figures figures : all) {
      table.row(
          List.of(
              Numbers.of(figures.pairs()),
              Numbers.of(figures.cpuMs()),
              Numbers.of(figures.elapsedMs()),
              Numbers.of(figures.heapBytes() / 1e6),
              Numbers.of(figures.publishedBytes()),
              Numbers.of(figures.readBytes())));
    }
    table.lines().forEach(out::println);
  }

  private static Map<String, Object> fields(CycleCost.Figures figures) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pairs", figures.pairs());
    fields.put("cpuMs", Numbers.rounded(figures.cpuMs()));
    fields.put("cpuMicrosPerPair", Numbers.rounded(figures.cpuMs() * 1e3 / figures.pairs()));
    fields.put("elapsedMs", Numbers.rounded(figures.elapsedMs()));
    fields.put("heapBytes", figures.heapBytes());
    fields.put("heapBytesPerPair", figures.heapBytes() / figures.pairs());
    fields.put("publishedBytes", figures.publishedBytes());
    fields.put("readBytes", figures.readBytes());
    return fields;
  }
}
