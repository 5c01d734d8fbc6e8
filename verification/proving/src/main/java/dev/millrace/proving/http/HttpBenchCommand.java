package dev.millrace.proving.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.HelpOption;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a server over HTTP, beside its limiter in the same process. */
@Command(
    name = "http",
    description = {
      "Starts a server and asks it for tokens over connections that stay open, each of which asks",
      "again when it was answered; then the same beside slow connections, then without HTTP. All is",
      "measured warm."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:some requests failed", "2:wrong usage"})
public final class HttpBenchCommand implements Callable<Integer> {
  private static final int MAX_CONNECTIONS = 9_000;
  private static final int MAX_ENTITIES = 1_000_000;
  private static final double MAX_SECONDS = 3_600;

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
      description = "How long each of the three takes (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "10",
      description = {
        "How many seconds both ways are tried before anything is measured: a JVM that has just",
        "begun is several times slower (default: ${DEFAULT-VALUE})."
      })
  private double warmUp;

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "64",
      description = "How many ask at a time (default: ${DEFAULT-VALUE}).")
  private int connections;

  @Option(
      names = "--slow",
      paramLabel = "N",
      defaultValue = "936",
      description = "How many slow connections beside them (default: ${DEFAULT-VALUE}).")
  private int slow;

  @Option(
      names = "--entities",
      paramLabel = "N",
      defaultValue = "1",
      description = "For how many entities they ask (default: ${DEFAULT-VALUE}).")
  private int entities;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "MEMORY",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private StoreKind store = StoreKind.MEMORY;

  @Option(names = "--json", description = "Print one JSON object at the end, and nothing else.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    CommandLine command = spec.commandLine();
    require(command, "--seconds", seconds, 1, MAX_SECONDS);
    require(command, "--warm-up", warmUp, 0, MAX_SECONDS);
    require(command, "--connections", connections, 1, MAX_CONNECTIONS);
    require(command, "--slow", slow, 0, MAX_CONNECTIONS - connections);
    require(command, "--entities", entities, 1, MAX_ENTITIES);
    List<Figures> all = new ArrayList<>();
    try (TrialServer server = TrialServer.start(store, command.getErr()::println)) {
      HttpLoad load = new HttpLoad(server, connections, entities);
      if (warmUp > 0) {
        Figures cold = load.http(warmUp, 0);
        Figures coldInProcess = load.inProcess(warmUp);
        command
            .getErr()
            .printf(
                Locale.ROOT,
                "warm-up: %,.0f answers/s over HTTP, %,.0f/s in process%n",
                cold.perSecond(),
                coldInProcess.perSecond());
      }
      all.add(load.http(seconds, 0));
      if (slow > 0) {
        all.add(load.http(seconds, slow));
      }
      all.add(load.inProcess(seconds));
    }
    double ratio = all.get(0).perSecond() / all.get(all.size() - 1).perSecond();
    if (json) {
      command.getOut().println(new ObjectMapper().writeValueAsString(members(all, ratio)));
    } else {
      print(command.getOut(), all, ratio);
    }
    return all.stream().allMatch(figures -> figures.failed() == 0) ? 0 : 1;
  }

  private static void require(
      CommandLine command, String option, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new ParameterException(
          command, "%s %s must be from %s to %s".formatted(option, value, least, most));
    }
  }

  private Map<String, Object> members(List<Figures> all, double ratio) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("store", store.name().toLowerCase(Locale.ROOT));
    members.put("seconds", seconds);
    members.put("warmUpSeconds", warmUp);
    members.put("connections", connections);
    members.put("slow", slow);
    members.put("entities", entities);
    members.put("figures", all.stream().map(Figures::json).toList());
    members.put("httpOfInProcess", ratio);
    return members;
  }

  private void print(PrintWriter out, List<Figures> all, double ratio) {
    out.printf("%d connections, %d entities, store %s%n%n", connections, entities, store);
    out.printf(
        "%-34s %12s %9s %9s %9s %7s%n", "", "answers/s", "p50 ms", "p99 ms", "p99.9 ms", "failed");
    for (Figures figures : all) {
      out.printf(
          Locale.ROOT,
          "%-34s %,12.0f %9.2f %9.2f %9.2f %7d%n",
          figures.name(),
          figures.perSecond(),
          figures.p50Ms(),
          figures.p99Ms(),
          figures.p999Ms(),
          figures.failed());
    }
    out.printf(Locale.ROOT, "%nhttp / in process %.3f%n", ratio);
  }
}
