package dev.millrace.cli.deploy;

import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.HelpOption;
import dev.millrace.deploy.cost.Bill;
import dev.millrace.deploy.cost.Calculator;
import dev.millrace.deploy.cost.CostItem;
import dev.millrace.deploy.cost.Load;
import dev.millrace.deploy.cost.Prices;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what traffic costs. */
@Command(
    name = "cost",
    sortOptions = false,
    description = {
      "Says what a month of traffic costs, in dollars for a million requests, line by line.",
      "Units are those that the tests count; prices are data, with a date and a region."
    },
    footer = {
      "%nExamples:",
      "  millrace cost --requests 100000000 --entities 10000",
      "  millrace cost --requests 100000000 --entities 10000 --regions 3 --shared-pairs 1000",
      "  millrace cost --requests 1e9 --entities 50 --grouping 20 --cascade 2 --json"
    })
public final class CostCommand implements ExtraCommand, Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set before the command runs
  private CommandSpec spec;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private final HelpOption help = new HelpOption();

  @Option(names = "--requests", required = true, description = "Requests a month, in all regions.")
  private double requests;

  @Option(names = "--entities", required = true, description = "Entities, in each region.")
  private double entities;

  @Option(
      names = "--regions",
      defaultValue = "1",
      description = "Regions that share limits (default: ${DEFAULT-VALUE}).")
  private int regions;

  @Option(
      names = "--limits",
      defaultValue = "2",
      description = "Limits of a bucket (default: ${DEFAULT-VALUE}).")
  private int limits;

  @Option(
      names = "--cascade",
      defaultValue = "0",
      description = "Ancestors that a request draws on too (default: ${DEFAULT-VALUE}).")
  private int ancestors;

  @Option(
      names = "--grouping",
      defaultValue = "1",
      description = {
        "Requests that share a write; 'admitted' by 'storeWrites' of the metrics tells",
        "(default: ${DEFAULT-VALUE})."
      })
  private double grouping;

  @Option(
      names = "--shards",
      defaultValue = "1",
      description = "Shards of a bucket (default: ${DEFAULT-VALUE}).")
  private int shards;

  @Option(
      names = "--settled",
      defaultValue = "0",
      description = "Share of requests that settle with an adjust (default: ${DEFAULT-VALUE}).")
  private double settled;

  @Option(
      names = "--refused",
      defaultValue = "0",
      description = "Share of requests that are refused and read (default: ${DEFAULT-VALUE}).")
  private double refused;

  @Option(names = "--transactional", description = "All buckets of a request in one transaction.")
  private boolean transactional;

  @Option(
      names = "--processes",
      defaultValue = "1",
      description = "Processes that acquire, in each region (default: ${DEFAULT-VALUE}).")
  private int processes;

  @Option(
      names = "--aggregator",
      defaultValue = "lambda",
      description = "Who counts usage: lambda, worker or none (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String aggregator;

  @Option(
      names = "--batch-window",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = {
        "How long a batch of the function may take to fill: larger ones write less",
        "(default: ${DEFAULT-VALUE})."
      })
  private int batchWindow;

  @Option(
      names = "--shared-pairs",
      paramLabel = "N",
      description = "Pairs of entity and resource that regions share (default: all entities).")
  private @Nullable Double sharedPairs;

  @Option(
      names = "--window",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How often regions exchange (default: ${DEFAULT-VALUE}).")
  private int window;

  @Option(
      names = "--price-file",
      paramLabel = "FILE",
      description = "Other prices, in the form of docs/operate/cost.md (default: us-east-1).")
  private @Nullable Path priceFile;

  @Option(names = "--json", description = "Print one JSON object, and nothing else.")
  private boolean json;

  @Override
  public Integer call() {
    Prices prices;
    Bill bill;
    try {
      prices = priceFile == null ? Prices.own() : Prices.read(priceFile);
      bill = Calculator.bill(prices, load());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(Json.line(json(prices, bill)));
    } else {
      print(out, prices, bill);
    }
    return ExitCodes.DONE;
  }

  private Load load() {
    return Load.builder(requests, entities)
        .regions(regions)
        .limits(limits)
        .ancestors(ancestors)
        .grouping(grouping)
        .settled(settled)
        .refused(refused)
        .transactional(transactional)
        .processes(processes)
        .shards(shards)
        .aggregator(counting())
        .batchSeconds(batchWindow)
        .sharedPairs(sharedPairs == null ? entities : sharedPairs)
        .windowSeconds(window)
        .build();
  }

  private Load.Counting counting() {
    for (Load.Counting each : Load.Counting.values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(aggregator)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "--aggregator '" + aggregator + "' is none of lambda, worker, none");
  }

  private static void print(PrintWriter out, Prices prices, Bill bill) {
    out.println("Prices of %s as of %s, in US dollars.".formatted(prices.region(), prices.date()));
    String row = "%-8s %-38s %18s %-12s %12s %14s";
    out.println(row.formatted("", "", "a month", "", "$ a month", "$ a million"));
    for (CostItem item : bill.items()) {
      out.println(
          row.formatted(
              item.group(),
              item.what(),
              String.format(Locale.ROOT, "%,.1f", item.amount()),
              item.unit(),
              dollars(item.dollars()),
              dollars(bill.perMillion(item.dollars()))));
    }
    out.println(
        row.formatted("all", "", "", "", dollars(bill.dollars()), dollars(bill.perMillion())));
  }

  private static String dollars(double amount) {
    return String.format(Locale.ROOT, "%,.3f", amount);
  }

  private static Map<String, Object> json(Prices prices, Bill bill) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("region", prices.region());
    json.put("date", prices.date());
    json.put("requests", bill.requests());
    json.put("dollars", bill.dollars());
    json.put("dollarsPerMillion", bill.perMillion());
    json.put("items", bill.items().stream().map(item -> json(bill, item)).toList());
    return json;
  }

  private static Map<String, Object> json(Bill bill, CostItem item) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("group", item.group());
    json.put("what", item.what());
    json.put("amount", item.amount());
    json.put("unit", item.unit());
    json.put("dollars", item.dollars());
    json.put("dollarsPerMillion", bill.perMillion(item.dollars()));
    return json;
  }
}
