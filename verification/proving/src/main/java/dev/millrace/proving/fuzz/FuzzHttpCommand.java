package dev.millrace.proving.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.HelpOption;
import dev.millrace.proving.http.StoreKind;
import dev.millrace.proving.http.TrialServer;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Sends hostile requests to a server of its own. */
@Command(
    name = "http",
    description = {
      "Sends hostile requests to a server on the store in memory: malformed, truncated, flooded,",
      "forged. Each must get an answer of its kind, none may tell of the server's insides, and the",
      "tokens that are left must be those that valid requests left."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:nothing was found",
      "1:an answer was wrong; its seed is printed",
      "2:wrong usage"
    })
public final class FuzzHttpCommand implements Callable<Integer> {
  private static final long MAX_REQUESTS = 1_000_000_000;
  private static final long TELL_EVERY = 10_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private long requests;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      description = "The seed of the first request (default: chance).")
  private @Nullable Long seed;

  @Option(names = "--json", description = "Print one JSON object at the end, and nothing else.")
  private boolean json;

  @Override
  public Integer call() throws JsonProcessingException {
    CommandLine command = spec.commandLine();
    if (requests < 1 || requests > MAX_REQUESTS) {
      throw new ParameterException(
          command, "--requests " + requests + " must be from 1 to " + MAX_REQUESTS);
    }
    long first = seed == null ? new SplittableRandom().nextInt(Integer.MAX_VALUE) : seed;
    PrintWriter out = command.getOut();
    FuzzReport report;
    try (TrialServer server = TrialServer.start(StoreKind.MEMORY, command.getErr()::println)) {
      report = new HttpFuzz(server).run(first, requests, sent -> tell(command.getErr(), sent));
    }
    if (json) {
      out.println(new ObjectMapper().writeValueAsString(members(report)));
    } else {
      print(out, report);
    }
    return report.violations().isEmpty() ? 0 : 1;
  }

  private void tell(PrintWriter err, long sent) {
    if (!json && sent % TELL_EVERY == 0) {
      err.println(sent + " of " + requests);
    }
  }

  private static Map<String, Object> members(FuzzReport report) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("firstSeed", report.firstSeed());
    members.put("requests", report.requests());
    members.put("answers", report.answers());
    members.put("violations", report.violations());
    return members;
  }

  private static void print(PrintWriter out, FuzzReport report) {
    out.println("requests    " + report.requests() + ", seeds from " + report.firstSeed());
    report.answers().forEach((kind, statuses) -> out.printf("%-15s %s%n", kind, statuses));
    out.println("violations  " + report.violations().size());
    report.violations().forEach(out::println);
  }
}
