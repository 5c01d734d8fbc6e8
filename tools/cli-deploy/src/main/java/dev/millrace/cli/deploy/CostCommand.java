package dev.millrace.cli.deploy;

import dev.millrace.cli.CliCommand;
import dev.millrace.cli.ExtraCommand;
import dev.millrace.cli.text.JsonText;
import dev.millrace.deploy.cost.Bill;
import dev.millrace.deploy.cost.Calculator;
import dev.millrace.deploy.cost.CostItem;
import dev.millrace.deploy.cost.LoadNumber;
import dev.millrace.deploy.cost.MonthlyLoad;
import dev.millrace.deploy.cost.MonthlyLoad.AggregatorKind;
import dev.millrace.deploy.cost.Prices;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** Prints the cost of traffic. */
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
public final class CostCommand extends CliCommand implements ExtraCommand, Callable<Integer> {
  @Option(names = "--transactional", description = "All buckets of a request in one transaction.")
  private boolean transactional;

  @Option(
      names = "--aggregator",
      defaultValue = "lambda",
      description = "Who counts usage: lambda, worker or none (default: ${DEFAULT-VALUE}).")
  private String aggregator;

  @Option(
      names = "--price-file",
      paramLabel = "FILE",
      description = "Other prices, in the form of docs/operate/cost.md (default: us-east-1).")
  private @Nullable Path priceFile;

  @Option(names = "--json", description = "Print one JSON object, and nothing else.")
  private boolean json;

  /** The command with an option for each number of a load. */
  @Override
  public Object command() {
    CommandSpec command = CommandSpec.forAnnotatedObject(this);
    for (LoadNumber number : LoadNumber.values()) {
      OptionSpec.Builder option =
          OptionSpec.builder(flag(number))
              .paramLabel("N")
              .type(number.isWhole() ? Integer.class : Double.class)
              .description(number.description() + " (default: ${DEFAULT-VALUE})");
      number
          .defaultValue()
          .ifPresentOrElse(
              value ->
                  option.defaultValue(
                      number.isWhole() ? String.valueOf((int) value) : String.valueOf(value)),
              () ->
                  option
                      .required(number != LoadNumber.SHARED_PAIRS)
                      .description(number.description()));
      command.addOption(option.build());
    }
    return command;
  }

  /** {@code --batch-window}. */
  private static String flag(LoadNumber number) {
    return "--" + number.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public Integer call() {
    Prices prices;
    Bill bill;
    try {
      prices = priceFile == null ? Prices.own() : Prices.read(priceFile);
      bill = Calculator.bill(prices, load());
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    return output(json).one(json(prices, bill), () -> text(prices, bill));
  }

  private MonthlyLoad load() {
    Map<LoadNumber, Double> numbers = new EnumMap<>(LoadNumber.class);
    for (LoadNumber number : LoadNumber.values()) {
      Number value = spec().findOption(flag(number)).getValue();
      if (value != null) {
        numbers.put(number, value.doubleValue());
      }
    }
    return new MonthlyLoad(numbers, transactional, aggregatorKind());
  }

  private AggregatorKind aggregatorKind() {
    return Stream.of(AggregatorKind.values())
        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(aggregator))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--aggregator '" + aggregator + "' is none of lambda, worker, none"));
  }

  private static List<String> text(Prices prices, Bill bill) {
    List<String> lines = new ArrayList<>();
    lines.add("Prices of %s as of %s, in US dollars.".formatted(prices.region(), prices.date()));
    lines.add(row("", "", "a month", "", "$ a month", "$ a million"));
    for (CostItem item : bill.items()) {
      lines.add(
          row(
              item.group(),
              item.what(),
              String.format(Locale.ROOT, "%,.1f", item.amount()),
              item.unit(),
              dollars(item.dollars()),
              dollars(bill.perMillion(item.dollars()))));
    }
    lines.add(row("all", "", "", "", dollars(bill.dollars()), dollars(bill.perMillion())));
    return lines;
  }

  private static String row(Object... cells) {
    return "%-8s %-38s %18s %-12s %12s %14s".formatted(cells);
  }

  private static String dollars(double amount) {
    return String.format(Locale.ROOT, "%,.3f", amount);
  }

  private static Map<String, @Nullable Object> json(Prices prices, Bill bill) {
    return JsonText.object(
        "region", prices.region(),
        "date", prices.date(),
        "requests", bill.requests(),
        "dollars", bill.dollars(),
        "dollarsPerMillion", bill.perMillion(),
        "items", bill.items().stream().map(item -> json(bill, item)).toList());
  }

  private static Map<String, @Nullable Object> json(Bill bill, CostItem item) {
    return JsonText.object(
        "group", item.group(),
        "what", item.what(),
        "amount", item.amount(),
        "unit", item.unit(),
        "dollars", item.dollars(),
        "dollarsPerMillion", bill.perMillion(item.dollars()));
  }
}
