package dev.millrace.benchmarks;

import dev.millrace.benchmarks.load.RunProgress;
import dev.millrace.benchmarks.peers.Comparison;
import dev.millrace.benchmarks.report.AlignedTable;
import dev.millrace.benchmarks.report.JsonLine;
import dev.millrace.benchmarks.report.Numbers;
import dev.millrace.cli.HelpOption;
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

/** Measures what a Java user would take instead. */
@Command(
    name = "peers",
    description = {
      "Measures the same work with other rate limiters and with ours, in one run:",
      "Bucket4j (local, on Redis, on Redis with batching), Resilience4j, Guava.",
      "Starts a Redis server of its own; on Debian, root gets it installed when it is missing."
    })
final class PeersCommand implements Callable<Integer> {
  private static final OptionRange SECONDS = new OptionRange(1, 3_600);
  private static final OptionRange WARM_UP = new OptionRange(0, 3_600);
  private static final OptionRange THREADS = new OptionRange(1, 10_000);

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
      description = "How long to measure each (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "5",
      description = "Seconds of load before that (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "64",
      description = "Callers, the same number for all (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(names = "--json", description = "Print one JSON object, the last line of the output.")
  private boolean json;

  @Override
  public Integer call() throws Exception {
    CommandLine command = spec.commandLine();
    SECONDS.require(command, "--seconds", seconds);
    WARM_UP.require(command, "--warmup", warmup);
    THREADS.require(command, "--threads", threads);
    Quiet.limiters();
    return Failures.told(
        command,
        () -> {
          print(command.getOut(), measure(command.getErr()));
          return ExitCode.OK;
        });
  }

  private List<Comparison.Row> measure(PrintWriter err) throws InterruptedException {
    try (Views views = new Views(json)) {
      return new Comparison(
              threads,
              Duration.ofSeconds(warmup),
              Duration.ofSeconds(seconds),
              views::next,
              err::println)
          .run();
    }
  }

  private void print(PrintWriter out, List<Comparison.Row> rows) {
    if (json) {
      out.println(
          JsonLine.of(
              new LinkedHashMap<>(
                  Map.of(
                      "scenario",
                      "peers",
                      "threads",
                      threads,
                      "seconds",
                      seconds,
                      "peers",
                      rows.stream().map(PeersCommand::figures).toList()))));
      return;
    }
    AlignedTable table =
        new AlignedTable()
            .row(List.of("peer", "counters", "keys", "requests/s", "p50 µs", "p99 µs"));
    for (Comparison.Row row : rows) {
      table.row(
          List.of(
              row.peer(),
              row.scope(),
              row.workload(),
              Numbers.of(row.perSecond()),
              Numbers.of(row.p50Us()),
              Numbers.of(row.p99Us())));
    }
    table.lines().forEach(out::println);
  }

  private static Map<String, Object> figures(Comparison.Row row) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("peer", row.peer());
    figures.put("scope", row.scope());
    figures.put("workload", row.workload());
    figures.put("perSecond", Numbers.rounded(row.perSecond()));
    figures.put("p50Us", Numbers.rounded(row.p50Us()));
    figures.put("p99Us", Numbers.rounded(row.p99Us()));
    return figures;
  }

  /** One view after the other. */
  private static final class Views implements AutoCloseable {
    private final boolean json;
    private final List<ProgressView> shown = new ArrayList<>();

    Views(boolean json) {
      this.json = json;
    }

    RunProgress next(String name) {
      close();
      ProgressView view = ProgressView.of(name, json);
      shown.add(view);
      return view;
    }

    @Override
    public void close() {
      shown.forEach(ProgressView::close);
      shown.clear();
    }
  }
}
