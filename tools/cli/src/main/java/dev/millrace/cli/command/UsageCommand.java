package dev.millrace.cli.command;

import dev.millrace.admin.AdminJson;
import dev.millrace.admin.Usage;
import dev.millrace.admin.UsageSummary;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCodes;
import dev.millrace.cli.table.ConnectionOptions;
import dev.millrace.cli.text.Bars;
import dev.millrace.cli.text.SvgChart;
import dev.millrace.cli.text.TextTable;
import dev.millrace.core.spi.usage.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What was used, as an aggregator has counted it. */
@Command(
    name = "usage",
    description = "What was used by hour, day and month, as the aggregator has counted it.",
    footer = {
      "",
      "A TIME is 2026-11-15T20:00:00Z, 2026-11-15 in UTC, now, or so long ago: 90m, 24h, 7d.",
      "",
      "Examples:",
      "  millrace usage list --entity key-42 --resource gpt-4 --from 24h",
      "  millrace usage list --entity key-42 --resource gpt-4 --window day --plot usage.svg",
      "  millrace usage top --resource gpt-4 --limit tpm"
    })
public final class UsageCommand extends Group {
  private static final int BAR = 30;

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "Lists an entity's usage piece by piece, the earliest first.")
  int list(
      @Mixin ConnectionOptions connection,
      @Mixin PageOptions page,
      @Mixin UsageRange range,
      @Option(
              names = {"-e", "--entity"},
              paramLabel = "ID",
              required = true,
              description = "Whose.")
          String entity,
      @Option(
              names = {"-p", "--plot"},
              paramLabel = "FILE",
              description = "Also draw it, as SVG.")
          @Nullable Path plot) {
    return connection.run(
        session -> {
          Instant now = Instant.now();
          SvgChart chart =
              new SvgChart("%s on %s by %s".formatted(entity, range.resource(), range.window()));
          int exit =
              page.print(
                  session,
                  (size, cursor) ->
                      session
                          .usage()
                          .range(
                              entity,
                              range.resource(),
                              range.window(),
                              range.from(now),
                              range.to(now),
                              size,
                              cursor),
                  usage -> {
                    usage
                        .totalMilli()
                        .forEach((limit, milli) -> chart.bar(limit, usage.start(), milli));
                    return AdminJson.of(usage);
                  },
                  UsageCommand::table,
                  "No usage is counted in this range.");
          if (plot != null) {
            write(plot, chart);
            session.output().line("drawn in " + plot);
          }
          return exit;
        });
  }

  private static void write(Path file, SvgChart chart) {
    try {
      Files.writeString(file, chart.render());
    } catch (IOException e) {
      throw CommandFailure.notWritten(file, e);
    }
  }

  private static List<String> table(List<Usage> pieces) {
    Map<String, Long> most = new HashMap<>();
    for (Usage usage : pieces) {
      usage.totalMilli().forEach((limit, milli) -> most.merge(limit, milli, Math::max));
    }
    TextTable table = TextTable.ofTexts(2).row("START", "LIMIT", "TOKENS", "");
    for (Usage usage : pieces) {
      new TreeMap<>(usage.totalMilli())
          .forEach(
              (limit, milli) ->
                  table.row(
                      usage.start().toString(),
                      limit,
                      Bars.tokens(milli),
                      Bars.of(milli, most.getOrDefault(limit, 1L), BAR)));
    }
    return table.lines();
  }

  @Command(
      name = "summary",
      mixinStandardHelpOptions = true,
      description = {
        "Adds up: an entity's usage in a range, or without --entity everybody's in the one piece",
        "of time that --from is in."
      })
  int summary(
      @Mixin ConnectionOptions connection,
      @Mixin UsageRange range,
      @Option(
              names = {"-e", "--entity"},
              paramLabel = "ID",
              description = "Whose.")
          @Nullable String entity) {
    return connection.run(
        session -> {
          Instant now = Instant.now();
          UsageSummary summary =
              entity == null
                  ? session.usage().ofResource(range.resource(), range.window(), range.from(now))
                  : session
                      .usage()
                      .summary(
                          entity, range.resource(), range.window(), range.from(now), range.to(now));
          session.output().one(json(summary), () -> table(summary));
          return ExitCodes.DONE;
        });
  }

  private static Map<String, Object> json(UsageSummary summary) {
    Map<String, Object> limits = new TreeMap<>();
    summary
        .limits()
        .forEach(
            (limit, total) -> {
              Map<String, Object> each = new LinkedHashMap<>();
              each.put("totalMilli", total.totalMilli());
              each.put("peakMilli", total.peakMilli());
              each.put("peakEntity", total.peakEntityId());
              each.put("peakStart", total.peakStart().toString());
              limits.put(limit, each);
            });
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("pieces", summary.pieces());
    json.put("events", summary.events());
    json.put("limits", limits);
    return json;
  }

  private static List<String> table(UsageSummary summary) {
    if (summary.pieces() == 0) {
      return List.of("No usage is counted in this range.");
    }
    List<String> lines = new ArrayList<>();
    lines.add("%,d pieces, %,d events".formatted(summary.pieces(), summary.events()));
    TextTable table =
        TextTable.ofTexts(1, 2, 3).row("LIMIT", "TOTAL", "AVERAGE", "PEAK", "PEAK OF", "PEAK AT");
    new TreeMap<>(summary.limits())
        .forEach(
            (limit, total) ->
                table.row(
                    limit,
                    Bars.tokens(total.totalMilli()),
                    Bars.tokens(total.totalMilli() / summary.pieces()),
                    Bars.tokens(total.peakMilli()),
                    total.peakEntityId(),
                    total.peakStart().toString()));
    lines.addAll(table.lines());
    return lines;
  }

  @Command(
      name = "top",
      mixinStandardHelpOptions = true,
      description = "Lists those who used the most of a limit in one piece of time.")
  int top(
      @Mixin ConnectionOptions connection,
      @Option(
              names = {"-r", "--resource"},
              paramLabel = "NAME",
              required = true,
              description = "Of what.")
          String resource,
      @Option(
              names = {"-l", "--limit"},
              paramLabel = "NAME",
              required = true,
              description = "Of which limit.")
          String limit,
      @Option(
              names = {"-w", "--window"},
              paramLabel = "WINDOW",
              defaultValue = "hour",
              description = "hour, day or month (default: ${DEFAULT-VALUE}).")
          String window,
      @Option(
              names = "--at",
              paramLabel = "TIME",
              defaultValue = "now",
              description = "A time in that piece (default: ${DEFAULT-VALUE}).")
          String at,
      @Option(
              names = "--count",
              paramLabel = "N",
              defaultValue = "10",
              description = "How many (default: ${DEFAULT-VALUE}).")
          int count) {
    return connection.run(
        session -> {
          Instant time = Times.parse(at, Instant.now());
          List<Usage> top = session.usage().top(resource, limit, Window.parse(window), time, count);
          session
              .output()
              .list(
                  top.stream().map(AdminJson::of).toList(),
                  () -> table(limit, top),
                  "Nobody used any.",
                  null);
          return ExitCodes.DONE;
        });
  }

  private static List<String> table(String limit, List<Usage> top) {
    TextTable table = TextTable.ofTexts(1).row("ENTITY", "TOKENS", "");
    long most = top.isEmpty() ? 1 : top.get(0).milli(limit);
    for (Usage usage : top) {
      table.row(
          usage.entityId(),
          Bars.tokens(usage.milli(limit)),
          Bars.of(usage.milli(limit), most, BAR));
    }
    return table.lines();
  }
}
